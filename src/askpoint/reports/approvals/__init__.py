"""Which of its actions an agent may take alone, said."""
