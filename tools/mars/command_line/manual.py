"""The manual that `galapagos-mars --help` prints."""

from typing import Final

MANUAL: Final = """\
galapagos-mars [options] WARRIOR ...

Fights Redcode warriors against each other. It stands in for pMARS 0.9.2 (server variant): the same
options, scores, listings, messages and exit status.

  galapagos-mars imp.red dwarf.red               one round, with listings
  galapagos-mars -b -r 100 -f a.red b.red        100 rounds, the same places each time it is run
  galapagos-mars -b -P -s 80 -p 80 -c 800 -l 5 -d 5 a.red b.red
                                                 nano core, all places once: an exact score
  galapagos-mars -r 0 a.red                      assemble and list only
  galapagos-mars --core-view a.red b.red         watch them
  galapagos-mars -e a.red b.red                  with the debugger (type help)

A WARRIOR is a file; - takes one from standard input, 3- takes three that follow each other there.
Letters without a value combine (-bfk) and toggle: given twice they are off.

the fight
  -r #   rounds (1); 0 assembles only           -p #   processes a warrior may have (8000)
  -s #   cells of the core (8000)               -l #   instructions a warrior may have (100)
  -c #   cycles until a tie, a warrior (80000)  -d #   least distance of warriors (as -l)
  -S #   cells of P-space (core/16, or near)    -8     the rules of ICWS'88
where they stand and who begins
  -f     drawn from the warriors: repeatable    -F #   warrior 2 stands here in round 1
  -P     two warriors, every place and starter once (with -r: so many of them, at random)
what is printed
  -b     no listings                            -k     counts only, for scripts
  -o     by score, best first                   -V     how the assembly went, on standard error
  -= $   score formula in W warriors and S survivors, (W*W-1)/S: as '(W*W-1)/S' or 'S==1'
  -Q #   the exit status tells: 1.. score of warrior #, 101.. who has rank #-100, 1000 version,
         1001 variant, 1002 both, 1003 bytes of an address, 2000 how many share a P-space
other
  -e     enter the debugger at once; a warrior with ;debug, ;trace or ;break enters it at its first
         mark or at a death, unless -k; where there is no input the fight goes on by itself
  -@ $   read options from a file, - is standard input
  -v #   accepted for old scripts, without effect

not in pMARS 0.9.2
  --json         one JSON object in place of all that goes to standard output
  --core-view    a live film of the core; in a pipe, some pictures of the first round;
                 in the debugger a picture at each halt, and the command `display`
  --sane         repair comparisons: without it a+b*c==d is a bad expression, as in 0.9.2
  --pmars 0.9.4  answer as 0.9.4: --sane, VERSION is 94, \\ continues no comment, and behind it also
                   -A    print load files, do not fight
                   -R #  cells within which a warrior reads, half of them to each side (the core)
                   -W #  the same for what it writes; both divide the core
  --help         this text

Exit status: 0 fought or listed, 2 wrong command line, 3 a warrior does not assemble or cannot be
read, 4 quit from the debugger, 130 interrupted, 254 out of memory; or what -Q asks for.
"""
