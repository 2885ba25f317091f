"""Inputs, confidence, costs, outcomes, hulls, intervals and sampling: what all sciences share."""
