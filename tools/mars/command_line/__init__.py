"""The command line: its words, its options and the manual."""
