"""Everything that gives a number its meaning, and the label from which it can't be parted.

`records` what a cell's protocol holds · `recipe` the repair part of it · `fingerprint` its hashes ·
`metric` the names of metrics · `label` the label and its rules · `parse` a label read back ·
`naming` from a protocol to its label · `comparison` what may stand in one column.

This package imports nothing by itself: labels are needed where pydantic isn't.
"""
