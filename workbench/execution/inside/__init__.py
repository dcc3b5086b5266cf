"""What runs inside the sandbox: the supervisor's modules, sent to it as one frame.

Standard library only, Python 3.8 or later, and no import from outside this folder.
"""
