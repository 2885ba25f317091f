"""What people label, for whatever purpose: cases, claims, votes, and how reviewers stand."""
