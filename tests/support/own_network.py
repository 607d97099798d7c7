"""Runs a program in a network of its own: loopback alone, one port of it served by whoever started this.

usage: own_network.py DESCRIPTOR PORT PROGRAM ARGUMENT...   (inside ``unshare --net``)

It binds 127.0.0.1:PORT, which is free in a new network, passes the socket up through DESCRIPTOR and becomes PROGRAM.
The process that made the model thus serves clients that can reach nothing else.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1


def loopback_up() -> None:
    """Switch on ``lo``, which a new network has switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh22x", b"lo", 0)
        flags = struct.unpack("16xh22x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, asked))[0]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


def main(descriptor: int, port: int, program: list[str]) -> None:
    loopback_up()
    with socket.create_server(("127.0.0.1", port)) as listener, socket.socket(fileno=descriptor) as up:
        socket.send_fds(up, [b"."], [listener.fileno()])
    os.execvp(program[0], program)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
