"""cdb, the debugger of pMARS 0.9.2."""
