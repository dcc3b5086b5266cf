"""What stands on a screen, drawn by pure functions: from view-model to styled rows, width given."""
