"""Judges: how good are noisy judges, seen only through their votes, and then with a few labels?"""
