"""What is seen of a fight while it runs: the film of the core, the debugger."""
