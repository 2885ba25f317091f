"""The main job's answer, said."""
