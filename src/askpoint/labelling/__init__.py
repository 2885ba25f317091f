"""People who label: a case, who claims it, votes, gold cases, and what the votes decide."""
