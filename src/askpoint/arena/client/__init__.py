"""A program's side of the game: its requests, as methods of a client."""
