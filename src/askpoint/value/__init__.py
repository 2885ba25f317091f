"""When should a classifier answer, and what is it worth?"""
