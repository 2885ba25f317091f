"""The licence to act: when an agent may do a kind of action without asking (spec/approvals.md)."""
