"""The vote sketch: exact counts of joint votes, from tables and in windows."""
