"""The tag challenge: items that a machine tagged, and people who propose better labels."""
