"""The command `galapagos-mars`, a drop-in replacement for the command line of pMARS 0.9.2."""
