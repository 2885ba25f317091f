"""Watches: detectors that hear labels one by one and may raise an alarm; a file each."""
