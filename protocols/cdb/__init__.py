"""cdb, the debugger of pMARS 0.9.2, for a terminal and for connections."""
