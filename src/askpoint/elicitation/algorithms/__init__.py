"""Searches for weights by questions to an exact respondent."""
