"""Files that people and tools wrote, read as predictions, votes or an evaluation: a file a format."""
