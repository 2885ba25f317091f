"""Checks on judges and on what was assumed of them."""
