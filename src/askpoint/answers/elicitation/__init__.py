"""What mistakes cost, from people who are simulated."""
