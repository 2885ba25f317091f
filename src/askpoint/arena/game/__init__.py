"""The rules of Beat the Machine, and its ledger.

The rules keep no state of their own. Each move takes the records that it concerns, read under
a lock, and the time, and returns the records that changed and the transactions to post;
whoever calls stores all of it or nothing, and so never has to know a rule: a database in the
server, dictionaries in the arena of a simulated crowd (`simulation`).
"""
