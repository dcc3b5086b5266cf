"""What the screens show, as plain Python: indexes, filters, what changed. No widget, no terminal."""
