"""Where is the model confident but wrong? Costs, quadrants, examination, regions, repair."""
