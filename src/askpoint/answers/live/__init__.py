"""A policy in use: what it opens with, and its status."""
