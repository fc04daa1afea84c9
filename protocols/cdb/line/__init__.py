"""A line typed at the debugger: commands in a chain, loops, macros."""
