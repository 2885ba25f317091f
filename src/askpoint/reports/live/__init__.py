"""A policy in use, said: what it opens with, and how it fares."""
