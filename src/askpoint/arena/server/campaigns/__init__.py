"""Campaigns: what is asked for and promised, and the budget behind it."""
