"""What a build learns from this machine's environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import UsageError
from workbench.images import from_environment


def test_an_empty_environment_changes_nothing() -> None:
    settings = from_environment({})
    assert settings.arguments == {}
    assert settings.network is None
    assert settings.certificates is None


def test_proxies_go_to_every_build_and_mirrors_to_those_that_declare_them() -> None:
    settings = from_environment(
        {
            "https_proxy": "http://proxy.example:3128",
            "NO_PROXY": "example",
            "WORKBENCH_DEBIAN_MIRROR": "http://mirror.example/debian",
            "NPM_CONFIG_REGISTRY": "http://npm.example/",
            "HOME": "/home/somebody",
        }
    )
    proxies = {"https_proxy": "http://proxy.example:3128", "NO_PROXY": "example"}
    assert settings.arguments_for("FROM x\n") == proxies
    assert settings.arguments_for("ARG BASE=a\nFROM x\nARG DEBIAN_MIRROR=\n") == {
        **proxies,
        "BASE": "debian:trixie-slim",
        "DEBIAN_MIRROR": "http://mirror.example/debian",
    }
    assert "npm_config_registry" in settings.arguments_for("ARG npm_config_registry\n")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_proxy_on_loopback_needs_the_hosts_network(host: str) -> None:
    assert from_environment({"http_proxy": f"http://{host}:3128"}).network == "host"


def test_a_network_that_was_asked_for_stays() -> None:
    settings = from_environment({"http_proxy": "http://localhost:1"}, network="mine")
    assert settings.network == "mine"


def test_the_first_certificate_file_named_is_read(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(b"PEM")
    environ = {"SSL_CERT_FILE": "/nowhere", "WORKBENCH_BUILD_CA": str(file)}
    assert from_environment(environ).read_certificates() == b"PEM"


def test_missing_certificates_are_one_line() -> None:
    settings = from_environment({"WORKBENCH_BUILD_CA": "/nowhere/ca.pem"})
    with pytest.raises(UsageError, match=r"certificates /nowhere/ca\.pem: No such file"):
        settings.read_certificates()
