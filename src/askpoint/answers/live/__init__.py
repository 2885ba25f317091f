"""Of a policy in use: what it opens with, and how it fares."""
