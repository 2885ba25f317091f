"""Classifiers in use: their people, their policies, the gateway, the queue of what people label."""
