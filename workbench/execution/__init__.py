"""The machine's side: programs, launchers, the supervisor inside the sandbox, the pool."""
