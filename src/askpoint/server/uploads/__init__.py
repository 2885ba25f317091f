"""Files that somebody sends: read apart, in a process of their own."""
