"""What judges do and see."""
