"""What the debugger looks at: lists of the core and other things, shown, searched and edited."""
