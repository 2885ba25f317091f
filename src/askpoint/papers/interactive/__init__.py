"""Evaluation methods and strategies for the interactive use of classifiers (2012), replayed."""
