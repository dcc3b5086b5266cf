"""Where tasks come from: one module a dataset family, one registry."""
