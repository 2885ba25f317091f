"""A program's side of the server's JSON API: it translates, and decides nothing."""
