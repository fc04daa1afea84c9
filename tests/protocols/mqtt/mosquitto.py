"""A broker of this machine, with the configuration that is shipped; only its port and its folders are others."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from protocols.mqtt.broker import Broker, Identity

SHIPPED = Path(__file__).parents[3] / "tools" / "deployment" / "mosquitto"
PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/usr/bin")
HOUSE, CLIENTS = "galapagos", ("ann", "bob", "eve")
START_SECONDS = 10.0


class Mosquitto:
    """A broker that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        """The test is skipped where there is none."""
        if not (PROGRAM and shutil.which("mosquitto_passwd") and shutil.which("openssl")):
            pytest.skip("needs the broker mosquitto, mosquitto_passwd and openssl")
        self.port = _free_port()
        self.authority = folder / "server.crt"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        (folder / "data").mkdir()
        shutil.copy(SHIPPED / "acl", folder / "acl")
        (folder / "acl").chmod(0o600)
        text = (SHIPPED / "mosquitto.conf").read_text()
        for shipped, ours in (
            ("listener 8883\n", f"user root\nlistener {self.port} 127.0.0.1\n"),
            ("/etc/mosquitto/galapagos/", f"{folder}/"),
            ("/var/lib/mosquitto/", f"{folder}/data/"),
        ):
            assert shipped in text
            text = text.replace(shipped, ours)
        (folder / "mosquitto.conf").write_text(text)
        for name in (HOUSE, *CLIENTS):
            new = [] if (folder / "passwords").exists() else ["-c"]
            _run("mosquitto_passwd", *new, "-b", "passwords", name, f"{name}'s secret", folder=folder)
        _run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
            "-keyout", "server.key", "-out", "server.crt", folder=folder,
        )  # fmt: skip

    def address(self, name: str, password: str | None = None) -> Broker:
        """For this user."""
        return Broker(
            host="127.0.0.1",
            port=self.port,
            user=name,
            password=f"{name}'s secret" if password is None else password,
            identity=Identity(authority=self.authority),
        )

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def start(self) -> None:
        """Till it listens."""
        assert PROGRAM
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", self._folder / "mosquitto.conf"], stderr=log)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            assert self._process.poll() is None, self.log
            with socket.socket() as caller:
                if caller.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError(f"the broker does not listen: {self.log}")

    def kill(self) -> None:
        """At once, as kill -9 does."""
        if self._process:
            self._process.kill()
            self._process.wait()


def _run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
