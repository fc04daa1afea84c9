// Sounds of the board, synthesised: a short knock for a move, other ones for a capture, a check and the end of the game.

// For each sound its notes: frequency in hertz, start and length in seconds, loudness.
const SOUNDS = {
  move: [[220, 0, 0.05, 0.5]],
  capture: [[180, 0, 0.05, 0.6], [120, 0.04, 0.07, 0.6]],
  check: [[440, 0, 0.06, 0.4], [660, 0.07, 0.08, 0.4]],
  end: [[392, 0, 0.12, 0.4], [330, 0.13, 0.12, 0.4], [262, 0.26, 0.3, 0.4]],
};
const SILENCE = 0.0001; // an exponential ramp cannot end at 0

let context = null; // one for the page, since browsers allow few

/** Play a sound, if the visitor has touched the page: browsers allow none before. */
export function playSound(name) {
  if (!navigator.userActivation?.hasBeenActive || !window.AudioContext) return;
  context ??= new AudioContext();
  for (const [frequency, after, length, loudness] of SOUNDS[name]) {
    const start = context.currentTime + after;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(loudness, start);
    volume.gain.exponentialRampToValueAtTime(SILENCE, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

/** The sound that belongs to a move of chess.js in a game. */
export function soundOf(move, end) {
  if (end) return "end";
  if (/[+#]$/.test(move.san)) return "check";
  return move.captured ? "capture" : "move";
}
