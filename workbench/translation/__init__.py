"""A typed task with tests as data, and the same task in every language."""
