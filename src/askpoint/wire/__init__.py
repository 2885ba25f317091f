"""What server and client say to each other: a frozen dataclass for each thing, read by both."""
