"""`galapagos-mars`, a drop-in for the command line of pMARS 0.9.2."""
