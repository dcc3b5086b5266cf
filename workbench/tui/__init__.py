"""The Textual application: `entry` is the way in, `screens` what keys do, `draw` what it looks
like, `model` what is shown, `actions` every key. Importing this imports no Textual."""
