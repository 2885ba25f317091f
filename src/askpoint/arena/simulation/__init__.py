"""What plays and judges by the rules of the game without people."""
