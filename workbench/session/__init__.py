"""Sessions: the engine that runs them, the store that keeps them, the control of a running one."""
