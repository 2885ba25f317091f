"""The folder of a deployment: policy, decisions, labels, events, state."""
