"""Logs, costs and results at rest: the only room besides the server that touches the disk."""
