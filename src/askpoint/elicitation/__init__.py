"""Elicitation: what mistakes cost, found out by asking which of two outcomes is better."""
