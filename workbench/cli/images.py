"""`workbench images`: build the toolchain images, list them, clear old ones away."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import click

from workbench import images as toolchain
from workbench.text import clean_line


@click.group()
def images() -> None:
    """Toolchain images: one a language, named after what they are made from."""


@images.command()
@click.argument("languages", nargs=-1)
@click.option("--force", is_flag=True, help="Build from scratch even if the image is there.")
@click.option(
    "--base",
    "make_base",
    type=click.Choice(["pull", "mmdebstrap"]),
    help="Where the base image comes from when it isn't there; default: pull.",
)
@click.option("--build-network", help="Network of the build, such as `host`.")
def build(
    languages: tuple[str, ...], force: bool, make_base: str | None, build_network: str | None
) -> None:
    """Build images (default: all that aren't there)."""
    settings = toolchain.from_environment()
    if make_base is not None:
        settings = replace(settings, make_base=make_base == "mmdebstrap")
    if build_network is not None:
        settings = replace(settings, network=build_network)
    for language in languages or toolchain.languages():
        toolchain.build(language, lambda line: click.echo(clean_line(line)), settings, force=force)


@images.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an image.")
def list_(as_json: bool) -> None:
    """List the images that are there, and the languages without one."""
    found = toolchain.list_images()
    if as_json:
        for image in found:
            click.echo(json.dumps(asdict(image)))
        return
    for image in found:
        state = "current" if image.current else "old"
        click.echo(
            f"{image.reference:<32} {image.size / 1e6:6.0f} MB  {image.created[:16]}  {state}"
        )
    for language in toolchain.missing():
        click.echo(
            f"{toolchain.content_tag(language):<32} missing: workbench images build {language}"
        )


@images.command()
def prune() -> None:
    """Remove images that are no longer current."""
    done = toolchain.prune()
    for image in done.removed:
        click.echo(f"removed {image.reference}")
    for image, why in done.kept:
        click.echo(f"kept {image.reference}: {clean_line(why)}")
    click.echo(f"{len(done.removed)} images and {done.stages} build stages removed")
