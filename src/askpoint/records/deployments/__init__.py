"""What goes with a policy in use: regions under suspicion, and draws in Spark."""
