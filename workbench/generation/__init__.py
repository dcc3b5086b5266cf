"""The model's side: prompts, clients, and the extraction of code from answers."""
