"""Judges, votes and rulings; and how a move of the game is stored."""
