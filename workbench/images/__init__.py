"""The toolchain images: one a language, built here, named after what they are made from.

All functions block; from a coroutine, call them in a thread. None of them knows the command line.
"""

from workbench.images.build import BuildFailed, build
from workbench.images.content import BASE, content_hash, content_tag, languages
from workbench.images.engine import connect
from workbench.images.inventory import Image, Pruned, list_images, manifest, missing, prune
from workbench.images.progress import Progress
from workbench.images.settings import BuildSettings, from_environment

__all__ = [
    "BASE",
    "BuildFailed",
    "BuildSettings",
    "Image",
    "Progress",
    "Pruned",
    "build",
    "connect",
    "content_hash",
    "content_tag",
    "from_environment",
    "languages",
    "list_images",
    "manifest",
    "missing",
    "prune",
]
