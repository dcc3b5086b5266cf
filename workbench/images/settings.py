"""What of this machine a build needs to reach the outside: proxies, mirrors, certificates."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from workbench.errors import UsageError
from workbench.images.content import BASE

# The builder knows these without an ARG and keeps them out of the image's history.
_PROXIES = ("http_proxy", "https_proxy", "no_proxy")
_MIRRORS = {
    "WORKBENCH_DEBIAN_MIRROR": "DEBIAN_MIRROR",
    "WORKBENCH_DEBIAN_SECURITY_MIRROR": "DEBIAN_SECURITY_MIRROR",
    "npm_config_registry": "npm_config_registry",
    "NPM_CONFIG_REGISTRY": "npm_config_registry",
}
_CERTIFICATES = ("WORKBENCH_BUILD_CA", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """How images are built on this machine; nothing here changes what is in them."""

    base: str = BASE
    """Name of the base image; part of the content tag."""
    make_base: bool = False
    """Make a missing base image from Debian packages instead of pulling it."""
    network: str | None = None
    """The build's network, such as `host`; None takes the engine's default, and `host` when
    names can't be resolved there."""
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    """Build arguments; those that a Dockerfile doesn't declare are left out."""
    certificates: Path | None = None
    """PEM file with the authorities that builds trust, where a proxy of this machine needs it."""
    seconds: float = 1800.0
    """Deadline of one build."""
    silence: float = 600.0
    """Longest time in which a build says nothing."""

    def arguments_for(self, dockerfile: str) -> dict[str, str]:
        """The arguments a Dockerfile declares, and the proxies, which need no declaration."""
        declared = set(re.findall(r"^ARG\s+(\w+)", dockerfile, flags=re.MULTILINE))
        known = {n: v for n, v in self.arguments.items() if n in declared or n.lower() in _PROXIES}
        return known | ({"BASE": self.base} if "BASE" in declared else {})

    def read_certificates(self) -> bytes | None:
        """Content of the certificate file, if there is to be one.

        Raises:
            UsageError: it can't be read.
        """
        if self.certificates is None:
            return None
        try:
            return self.certificates.read_bytes()
        except OSError as error:
            raise UsageError(f"certificates {self.certificates}: {error.strerror}") from None


def from_environment(
    environ: Mapping[str, str] | None = None,
    *,
    base: str = BASE,
    make_base: bool = False,
    network: str | None = None,
) -> BuildSettings:
    """Settings with what the environment tells of proxies, mirrors and certificates.

    Read are `http_proxy`, `https_proxy`, `no_proxy` (and in capitals), `npm_config_registry`,
    `WORKBENCH_DEBIAN_MIRROR`, `WORKBENCH_DEBIAN_SECURITY_MIRROR`; for certificates the first set
    of `WORKBENCH_BUILD_CA`, `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`.
    """
    env = os.environ if environ is None else environ
    arguments: dict[str, str] = {}
    for proxy in _PROXIES:
        for name in (proxy, proxy.upper()):
            if env.get(name):
                arguments[name] = env[name]
    for variable, argument in _MIRRORS.items():
        if env.get(variable):
            arguments.setdefault(argument, env[variable])
    if network is None and any(_on_loopback(arguments.get(name, "")) for name in arguments):
        # From a bridge network, loopback is the container's own.
        network = "host"
    named = next((env[name] for name in _CERTIFICATES if env.get(name)), None)
    return BuildSettings(
        base=base,
        make_base=make_base,
        network=network,
        arguments=arguments,
        certificates=Path(named) if named else None,
    )


def _on_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host in ("localhost", "::1") or host.startswith("127.")
