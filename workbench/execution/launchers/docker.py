"""Docker: one container is one slot, without network, rights or a writable root."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench import images
from workbench.errors import SandboxFault, SandboxUnavailable, WorkbenchError
from workbench.execution import boot
from workbench.execution.launchers import leftovers
from workbench.execution.launchers.attached import AttachedLink, plain_socket
from workbench.execution.launchers.base import Say
from workbench.execution.slots import Settings, Slot
from workbench.images import engine
from workbench.languages import Language

if TYPE_CHECKING:
    from docker import DockerClient

ROOT = "/box"
SHELF = "/warm"
MANIFEST = "/opt/workbench/manifest.json"
PYTHON = "/usr/bin/python3"
CALL_S = 30.0
"""Deadline of each call to the engine."""
GRACE_S = 1.0
"""How long a container may take to end by itself once its input is closed."""
WORK_MB, TMP_MB, SHM_MB = 256, 32, 32
SUPERVISOR_MB = 96
"""Memory of a container beyond what its steps may use: the supervisor and the files written."""
PIDS = 256


class DockerLauncher:
    """Starts containers; `runtime` other than Docker's default makes it another sandbox."""

    id = "docker"
    guarantees = "containers without network; memory, processes and CPU counted by the kernel"
    runtime: str | None = None
    pids = PIDS
    cgroup = True
    dies_of_memory = False
    shares = "the kernel is shared: a hole in it is a way out"
    shared: tuple[str, ...] = ("/dev/shm", "/dev/mqueue")  # noqa: S108
    """Folders of the container that every program may write in, and the kernel mounts by itself."""

    def __init__(self) -> None:
        """Doesn't reach the engine yet."""
        self.keeps_warm = True
        self.say: Say | None = None
        self._client: DockerClient | None = None
        self._tags: dict[str, str] = {}
        self._manifests: dict[str, str | None] = {}
        """Texts of the images' manifests, read in the first sandbox of each."""
        self._counts_inodes: bool | None = None

    async def check(self) -> None:
        """Reach the engine."""
        await self._call(_ping)

    async def lacking(self) -> str:
        """What this engine doesn't do, and that the kernel is everybody's."""
        return "; ".join([*(await self._call(_missing)), self.shares])

    async def engine(self) -> str:
        """The engine in a few words: name, version, control groups, whose rights it has."""
        return str(await self._call(_described))

    async def unavailable(self, languages: Sequence[Language]) -> Mapping[str, str]:
        """Languages whose image isn't there; raises `SandboxUnavailable` without an engine."""
        wanted = {language.id: self._tag(language) for language in languages}
        present = await self._call(self._present, set(wanted.values()))
        return {
            name: f"image for {name} is missing: run `workbench images build {name}`"
            for name, tag in wanted.items()
            if tag not in present
        }

    async def open(self, language: Language, memory_mb: int) -> Slot:
        """Start a container and its supervisor."""
        tag = self._tag(language)
        container, attached = await self._call(self._create, language, tag, memory_mb)
        try:
            link = AttachedLink(
                *await asyncio.open_connection(sock=attached, limit=1_048_576),
                remove=lambda: self._remove(container),
            )
        except BaseException:
            attached.close()
            await self._remove(container)
            raise
        try:
            await self._call(self._start, container)
        except BaseException:
            await link.close()
            raise
        settings = Settings(
            root=ROOT,
            private=("/tmp",),  # noqa: S108  (the container's own)
            shared=self.shared,
            containment=("uid",),
            cgroup=self.cgroup,
            inherit=True,
            warm=language.warm_files if self.keeps_warm else {},
        )
        slot = await Slot.open(link, settings, memory_mb)
        if tag not in self._manifests:
            try:
                self._manifests[tag] = (await slot.ask({"read": MANIFEST}, CALL_S))["text"]
            except BaseException:
                await slot.close()
                raise
        return slot

    async def toolchain(self, language: Language) -> Mapping[str, object]:
        """The image's manifest, and which image that is; a sandbox is started if none was yet."""
        tag = self._tag(language)
        if tag not in self._manifests:
            await (await self.open(language, 64)).close()
        text = self._manifests[tag]
        if text is None:
            raise SandboxFault(f"image {tag} has no manifest at {MANIFEST}")
        identity = await self._call(_image_id, tag)
        return {"versions": json.loads(text), "image": tag, "image_id": identity}

    async def sweep(self) -> int:
        """Remove containers whose owners are gone."""
        return await self._call(leftovers.sweep)

    async def close(self) -> None:
        """Close the connections to the engine."""
        if self._client is not None:
            await asyncio.to_thread(self._client.close)
            self._client = None

    # -- what blocks, called in threads

    async def _call(self, action: Any, *arguments: Any) -> Any:
        """Do a blocking call to the engine with a deadline; its errors become ours."""
        from docker.errors import DockerException
        from requests.exceptions import RequestException

        def call() -> Any:
            if self._client is None:
                self._client = _connect()
            return action(self._client, *arguments)

        started = self._client is not None
        try:
            async with asyncio.timeout(2 * CALL_S):
                return await asyncio.to_thread(call)
        except TimeoutError:
            raise SandboxFault(f"Docker didn't answer within {2 * CALL_S:g} s") from None
        except (DockerException, RequestException) as error:
            raise engine.explain(error, started=started) from error

    def _tag(self, language: Language) -> str:
        if language.id not in self._tags:
            named = language.settings.get("image", {}).get("tag")
            self._tags[language.id] = str(named) if named else images.content_tag(language.id)
        return self._tags[language.id]

    @staticmethod
    def _present(client: DockerClient, tags: set[str]) -> set[str]:
        from docker.errors import ImageNotFound

        present: set[str] = set()
        for tag in tags:
            try:
                client.images.get(tag)
                present.add(tag)
            except ImageNotFound:
                continue
        return present

    def _create(
        self, client: DockerClient, language: Language, tag: str, memory_mb: int
    ) -> tuple[str, socket.socket]:
        """Create a container and attach to it before it starts, so that no byte is missed."""
        from docker.errors import ImageNotFound

        kept = language.warm_memory_mb if self.keeps_warm else 0
        memory = f"{memory_mb + SUPERVISOR_MB + kept}m"
        disk = language.warm_disk_mb if self.keeps_warm else 0
        shelf = {SHELF: f"rw,noexec,nosuid,nodev,size={disk}m,mode=755"} if disk else {}
        if self._counts_inodes is None:
            self._counts_inodes = not _is_podman(client)
        many, few = (",nr_inodes=20000", ",nr_inodes=2000") if self._counts_inodes else ("", "")
        host = client.api.create_host_config(
            network_mode="none",
            read_only=True,
            tmpfs={
                **shelf,
                ROOT: f"rw,exec,nosuid,nodev,size={WORK_MB}m{many},mode=1733",
                "/tmp": f"rw,noexec,nosuid,nodev,size={TMP_MB}m{few},mode=1733",  # noqa: S108
            },
            shm_size=f"{SHM_MB}m",
            cap_drop=["ALL"],
            cap_add=["SETUID", "SETGID"],
            security_opt=["no-new-privileges"],
            pids_limit=self.pids,
            mem_limit=memory,
            memswap_limit=memory,
            init=True,
            ipc_mode="private",
            log_config={"type": "none", "config": {}},
            auto_remove=True,
            runtime=self.runtime,
        )
        try:
            made = client.api.create_container(
                tag,
                entrypoint=[PYTHON, "-I", "-S", "-c", boot.BOOT],
                command=[],
                user="0:0",
                working_dir="/",
                stdin_open=True,
                labels={**leftovers.labels(), "workbench.slot": language.id},
                host_config=host,
            )
        except ImageNotFound:
            raise SandboxUnavailable(
                f"image for {language.id} is missing: run `workbench images build {language.id}`"
            ) from None
        container = str(made["Id"])
        try:
            asked = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            return container, plain_socket(client.api.attach_socket(container, params=asked))
        except BaseException:
            client.api.remove_container(container, force=True)
            raise

    @staticmethod
    def _start(client: DockerClient, container: str) -> None:
        client.api.start(container)

    async def _remove(self, container: str) -> None:
        """Remove a container that should be ending by itself; it is removed then anyway."""
        try:
            await self._call(leftovers.remove, container, GRACE_S)
        except WorkbenchError as error:
            raise SandboxFault(f"container {container[:12]} can't be removed: {error}") from error


def _ping(client: DockerClient) -> None:
    client.ping()


def _missing(client: DockerClient) -> list[str]:
    """Limits that this engine can't set, as one without root often can't."""
    info = client.info()
    if _is_rootless(info) and info.get("CgroupVersion", "1") == "1":
        # Such an engine may say that it limits, and ignore it.
        info = {**info, "MemoryLimit": False, "PidsLimit": False}
    words = {
        "MemoryLimit": "this engine limits no memory: it is polled",
        "PidsLimit": "this engine counts no processes beyond each uid's",
    }
    return [said for key, said in words.items() if info.get(key) is False]


def _described(client: DockerClient) -> str:
    info = client.info()
    name = "Podman" if _is_podman(client) else "Docker"
    groups = info.get("CgroupVersion") or "1"
    owner = "without root" if _is_rootless(info) else "as root"
    return f"{name} {info.get('ServerVersion')} {owner}, control groups version {groups}"


def _is_rootless(info: Mapping[str, Any]) -> bool:
    options = info.get("SecurityOptions") or ()
    return bool(info.get("Rootless")) or any("rootless" in option for option in options)


def _is_podman(client: DockerClient) -> bool:
    """Whether another engine answers as Docker would; it refuses to limit a tmpfs's inodes."""
    parts: list[dict[str, str]] = client.version().get("Components") or []
    return any("Podman" in part.get("Name", "") for part in parts)


def _image_id(client: DockerClient, tag: str) -> str:
    return str(client.images.get(tag).id)


def _connect() -> DockerClient:
    import docker

    return docker.from_env(version="auto", timeout=round(CALL_S), max_pool_size=32)
