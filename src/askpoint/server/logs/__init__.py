"""Logs that somebody brings: read, reported and made a policy of by a process of its own, with limits."""
