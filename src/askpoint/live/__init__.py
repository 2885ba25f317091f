"""A classifier in use: it answers or asks, audits itself, closes when it must, and leaves receipts."""
