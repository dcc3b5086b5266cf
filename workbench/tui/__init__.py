"""The Textual application: one module a screen, one a widget."""
