"""Advanced Protection at the terminal: a client of the JSON lines whose server is in the same process."""
