"""Multiclass Performance Metric Elicitation (2019), replayed."""
