"""What the arena's part of the API and its client say to each other."""
