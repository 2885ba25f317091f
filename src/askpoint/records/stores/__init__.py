"""Where a policy in use keeps its receipts: SQLite in a folder or in memory, or PostgreSQL."""
