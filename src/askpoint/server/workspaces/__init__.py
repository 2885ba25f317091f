"""Workspaces: who shares a server without sharing people, money or secrets."""
