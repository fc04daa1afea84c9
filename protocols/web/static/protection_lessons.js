// What the guide explains in a first game of Advanced Protection, by the kind of decision: [title, sentences].

export const LESSONS = {
  units: ["Your first units",
    "Choose a unit, then click a square of land. Settlers, farmers and drones earn money in each of the 50 phases of a turn. "
      + "They earn most on wetlands and on gold. Infantry, armor and artillery earn nothing, but guard the farms near them. "
      + "A good start is some settlers side by side on wetlands, with infantry around them."],
  prices: ["What it costs and what it brings",
    "Money left is what you can still spend, and money that you keep counts as much as units. Income is what your farms earn if nobody destroys them. "
      + "Undo takes back the last step. When you are content, press End turn."],
  replay: ["The turn is played",
    "Chaos has sent minions to random squares. Now both sides act for 50 phases: watch, or jump to the end. Red rings are fights that you lost. "
      + "Afterwards the minions go home, and your units stay where they are."],
  plunder: ["You were plundered",
    "A minion that destroys a farm takes all that the farm has earned in this turn. Guards next to the farms, and mines in the way, make that rarer."],
  again: ["Chaos has looked at what you built",
    "It has tested its 250 strings on your last setup and chosen one for this turn. So change something: fill gaps where minions came through. "
      + "To see them, choose \"paths of the minions in the last turn\" under Show on the map. "
      + "Units of earlier turns can be salvaged for a part of their price."],
  over: ["The result",
    "The table shows what each turn earned and cost, and what Chaos answered to. You can watch each turn again under Turns so far."],
};
