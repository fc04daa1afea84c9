// The ten steps of the primer of Redcode. In texts `...` is code; tests/browser/test_primer.py runs every program.

const IMP = `;name Imp
;assert 1

        MOV 0, 1
`;
const MORTAL = `;name Mortal
;assert 1

        NOP 0
        NOP 0
        DAT 0
`;
const LOOP = `;name Loop
;assert 1

loop    NOP 0
        NOP 0
        JMP loop
`;
const COUNTER = `;name Counter
;assert 1

count   DAT #0, #0
start   ADD #1, count
        JMP start
        END start
`;
const DWARF = `;name Dwarf
;assert CORESIZE % 4 == 0

bomb    DAT #0, #0
start   ADD #4, bomb
        MOV bomb, @bomb
        JMP start
        END start
`;
const WAITER = `;name Waiter
;assert 1

        JMP 0
`;
const GATE = `;name Gate
;assert 1

wait    JMP wait, <wait-10
`;
const SPLITTER = `;name Splitter
;assert 1

        SPL 0
        MOV 0, 1
`;

/**
 * The steps: `program` and `opponent` are warriors of a fight (a text, or `ours`, a bundled file), without an opponent the
 * program runs alone; `speed` is the player's.
 */
export const STEPS = [
  {
    title: "The smallest warrior",
    text: [
      "In Core War programs fight for the memory of a machine, the core. It is a ring of cells, and each cell holds one instruction. This core has only 80 cells; the usual one has 8,000.",
      "`MOV 0, 1` copies a cell. Its numbers are distances: `0` is the cell of the instruction itself, `1` is the next cell. So the instruction copies itself into the next cell. Then the machine executes the next cell, which holds the same instruction now. In this way the program runs round the core for ever. Its name is Imp.",
    ],
    attempt: "Write `MOV 0, 2` and run it. The copy lands one cell too far, and the program dies in the empty cell between.",
    program: { text: IMP },
    speed: 1,
  },
  {
    title: "How a program dies",
    text: [
      "`DAT` holds data. A program that executes it dies. The machine has filled all empty cells with `DAT 0, 0`, so a program that runs beyond its own end dies as well.",
      "`NOP` does nothing, and the machine goes on to the next cell. This program executes two of them, then the `DAT`: it lives for three instructions.",
    ],
    attempt: "Remove the line with `DAT`. The result is the same, because the empty cell after the program is a `DAT`, too.",
    program: { text: MORTAL },
    speed: 0,
  },
  {
    title: "A loop",
    text: [
      "`JMP` goes on at another cell. `loop` is a label: a name for the cell of its line. The assembler, which translates the text for the machine, replaces the name with the distance to that cell.",
      "This program comes back to its start again and again. It stays alive until its time is over: each program may execute 800 instructions here.",
      "A line that starts with `;` is a comment. Some have a meaning: `;name` names the program, and `;assert` says for which cores it is written; 1 stands for all.",
    ],
    attempt: "Write `JMP 0` as the only instruction. It jumps to itself, which is the shortest loop.",
    program: { text: LOOP },
    speed: 1,
  },
  {
    title: "A number that changes",
    text: [
      "`ADD #1, count` adds 1 to a number in the cell with the label `count`. The sign `#` means the number itself; without a sign, a number is the distance to a cell.",
      "The program must not start at its first line, which is a `DAT`. `END start` names the line where it starts.",
    ],
    attempt: "Pause, and point at cell 0, the first of the core. Its second number shows how often the loop has run. The arrow keys step through the instructions.",
    program: { text: COUNTER },
    speed: 1,
  },
  {
    title: "Bombs",
    text: [
      "`MOV bomb, @bomb` copies the cell `bomb`. The sign `@` says where to: the second number in the cell `bomb` is a pointer, the distance from there to the target. `ADD` moves the pointer four cells on before each copy.",
      "So this program drops a `DAT` into every fourth cell. 80 is a multiple of four: the pointer always comes back to `bomb` itself, and never to the three instructions. A. K. Dewdney published this warrior, Dwarf, with the game in 1984.",
    ],
    attempt: "Replace `#4` with `#3`. The first bomb falls on the program's own `JMP`.",
    program: { text: DWARF },
    speed: 2,
  },
  {
    title: "The first fight",
    text: [
      "Now there are two programs in the core. They take turns, one instruction each. The one that lives longer wins; if both live to the end, the fight is a tie.",
      "The opponent, at cell 40, only waits: it is `JMP 0`. Every fourth cell gets a bomb, and 40 is a multiple of four.",
    ],
    attempt: "With `#5` the bombs come to cell 40 sooner. With `#2` the second bomb falls on the Dwarf's own instruction.",
    program: { text: DWARF },
    opponent: { text: WAITER },
    place: 40,
    speed: 1,
  },
  {
    title: "A gate against imps",
    text: [
      "A Dwarf seldom beats an Imp. The Imp runs over the Dwarf's instructions and leaves copies of itself there, and then the Dwarf executes them: both are imps, and the fight is a tie.",
      "This program waits, and guards a cell ten before its own. `<wait-10` makes the second number of that cell smaller by 1 each time. When an Imp has just copied itself there, `MOV 0, 1` becomes `MOV 0, 0`: it copies itself onto itself, goes on to an empty cell, and dies.",
    ],
    attempt: "Write `JMP wait` without the second part. Now the Imp overwrites the program, and nobody wins.",
    program: { text: GATE },
    opponent: { ours: "imp.red" },
    place: 40,
    speed: 1,
  },
  {
    title: "Many processes",
    text: [
      "`SPL` splits a process in two: one goes on with the next cell, the other at the cell that `SPL` names. The processes of a program take turns. More of them do not make it faster, but a program dies only when its last process has died.",
      "`SPL 0` names its own cell. So one process stays there and splits again and again, and each of the others goes on as an Imp. The number of processes is above the core, and its curve is below.",
    ],
    attempt: "Replace `MOV 0, 1` with `DAT 0`. Now each of the others dies at once, and the program still lives.",
    program: { text: SPLITTER },
    speed: 2,
  },
  {
    title: "A program that copies itself: Paper",
    text: [
      "The core has 800 cells now. `SPL 1` twice makes four processes. All four execute each of the next lines before any goes on to the line after it. So `MOV.I }first, >first` copies four cells, one for each process: `}` and `>` make a number of a pointer larger by 1 after its use, `{` and `<` smaller by 1 before it. `.I` says that the whole instruction is copied.",
      "Each of the two `MOV` writes a copy at another place, and the processes go on in both copies. A bomb that destroys one of them does not hurt the others: as a rule, papers beat programs that only bomb.",
    ],
    attempt: "Watch the number of processes of both programs. Then remove the second `SPL 1`: two processes copy only two of the four cells.",
    program: { ours: "paper.red" },
    opponent: { ours: "dwarf.red" },
    rules: "tiny",
    seed: 6,
    speed: 3,
  },
  {
    title: "A program that looks first: Scanner",
    text: [
      "A scanner does not bomb at random. `SNE.I` compares two cells and skips the next instruction if they differ. Empty cells are all equal, so where two cells differ, there is something to attack.",
      "From there on it fills the core with `SPL`, so that the processes of the opponent only multiply and do nothing else, and then with `DAT`, which kills them. As a rule, scanners beat papers, papers beat bombers, and bombers beat scanners, which are large and slow: no program beats all others.",
    ],
    attempt: "Press Run after each change of `gap` or `far`: the scanner finds the paper sooner or later, or not at all. Then write a warrior of your own.",
    program: { ours: "scanner.red" },
    opponent: { ours: "paper.red" },
    rules: "tiny",
    seed: 1,
    speed: 4,
  },
];
