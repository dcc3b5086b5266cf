"""What a session's outcomes amount to: estimators, intervals, comparisons, measurements.

Pure functions on sequences and numpy arrays, in small modules; this package imports nothing by
itself, so that a program which only prints a stored measurement starts fast.

`units` what goes in (a scored unit) · `passk` pass@k and pass^k · `repair`, `episodes` turns and
budgets · `tree` the exact tree estimator · `picking` one of k without an oracle · `interval`, `intervals` how sure · `compare` paired
differences · `power` what could have been shown · `losses` what lost units could have changed ·
`measurement` a value that can't lose its label · `cell`, `measure`, `measure_repair` from units to
measurements.
"""
