"""Leases: blocks of decisions that are granted to deciders elsewhere, and handed in afterwards."""
