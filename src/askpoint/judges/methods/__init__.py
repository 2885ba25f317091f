"""Methods that evaluate judges by their votes alone."""
