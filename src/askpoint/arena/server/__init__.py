"""The server's part of the arena: campaigns, probes, players, pay."""
