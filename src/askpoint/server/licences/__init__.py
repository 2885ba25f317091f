"""Agents that propose actions: their licences, who approves, and what other programs say to the door."""
