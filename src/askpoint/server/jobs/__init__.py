"""Work in the background: a table of jobs with leases."""
