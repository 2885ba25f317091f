"""Examinations: cases drawn from a sample of the stream, into the judges' queue."""
