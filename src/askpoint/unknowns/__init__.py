"""What is the model confidently wrong about? Costs, quadrants, examination, regions, repair."""
