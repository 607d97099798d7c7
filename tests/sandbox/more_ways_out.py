"""Further ways out, by the kernel's newer and rarer doors and by what other programs would do later."""

from __future__ import annotations

_CTYPES = "import ctypes,os,sys; libc=ctypes.CDLL(None,use_errno=True); "


def _python(code: str) -> str:
    return f"$PY - <<'END'\n{_CTYPES}\n{code}\nEND\n"


MORE_WRITES = {
    "io_uring": _python(
        """
import mmap, struct
told = ctypes.create_string_buffer(120)
ring = libc.syscall(425, 4, told)
queue = mmap.mmap(ring, 4096, offset=0)
entries = mmap.mmap(ring, 4096, offset=0x10000000)
tail, mask, array = (struct.unpack_from("I", told, 40 + at)[0] for at in (4, 8, 24))
for number, path in enumerate((b"migrations/1.sql", b"lib/secret.py", os.environ["OUT"].encode() + b"/file")):
    name = ctypes.create_string_buffer(path)
    entry = struct.pack("BBHiQQII", 18, 0, 0, -100, 0, ctypes.addressof(name), 0o666, os.O_WRONLY | os.O_TRUNC)
    entries[:64] = entry.ljust(64, bytes(1))
    struct.pack_into("I", queue, array + 4 * (number & struct.unpack_from("I", queue, mask)[0]), 0)
    struct.pack_into("I", queue, tail, number + 1)
    libc.syscall(426, ring, 1, 1, 1, None, 0)
for each in range(3, 30):
    try: os.write(each, b"x")
    except OSError: pass
"""
    ),
    "a program from memory": _python(
        """
made = libc.memfd_create(b"sh", 0)
os.write(made, open("/bin/sh", "rb").read())
os.execve(made, ["sh", "-c", "echo x > migrations/1.sql; echo x > $OUT/file; echo x > lib/secret.py"], os.environ)
"""
    ),
    "a script from memory with a loader": "/lib64/ld-linux-x86-64.so.2 /bin/sh -c 'echo x > migrations/1.sql; echo x > $OUT/file'",
    "/proc/self/root and cwd": (
        "for p in self thread-self 1 $$; do echo x > /proc/$p/root$PWD/migrations/1.sql; echo x > /proc/$p/cwd/src/b.py;"
        " echo x > /proc/$p/task/$p/root$OUT/file; echo x > /proc/$p/map_files/../root$OUT/file; done"
    ),
    "openat2": _python(
        """
import struct
for path in (b"migrations/1.sql", b"lib/secret.py", os.environ["OUT"].encode() + b"/file"):
    for resolve in (0, 0x10, 0x20):
        found = libc.syscall(437, -100, path, struct.pack("QQQ", os.O_WRONLY | os.O_TRUNC, 0, resolve), 24)
        if found >= 0: os.write(found, b"x")
"""
    ),
    "another mount namespace by descriptor": _python(
        """
for pid in ("1", os.environ["OUTSIDE_PID"], str(os.getppid())):
    for kind in ("mnt", "user", "pid", "net"):
        try: found = os.open(f"/proc/{pid}/ns/{kind}", 0)
        except OSError: continue
        libc.setns(found, 0)
    held = libc.syscall(434, int(pid), 0)
    if held >= 0: libc.setns(held, 0x00020000)
open(os.environ["OUT"] + "/file", "w").write("x")
"""
    ),
    "descriptors of the sandbox's first process": _python(
        """
held = libc.syscall(434, 1, 0)
for number in range(64):
    found = libc.syscall(438, held, number, 0)
    if found >= 0:
        for name in ("file", "migrations/1.sql", "repo/migrations/1.sql"):
            try: os.write(os.open(name, os.O_WRONLY | os.O_TRUNC, dir_fd=found), b"x")
            except OSError: pass
"""
    ),
    "debugger on the sandbox's first process": _python(
        """
for asked in (16, 0x4206):
    if libc.ptrace(asked, 1, 0, 0) == 0: print(os.environ["GOT_OUT"])
"""
    ),
    "memory of the sandbox's first process": (
        "(: > /proc/1/mem) && echo $GOT_OUT; cat /proc/1/environ > /tmp/e && grep -q GITHUB_TOKEN /tmp/e && echo $GOT_OUT"
    ),
    "a mount in a namespace of its own, shared": (
        "unshare -Urm sh -c 'mount --make-rshared /; mount -t tmpfs x $OUT; echo x > $OUT/file; mount --bind lib migrations'"
    ),
    "namespaces nested deep": (
        "unshare -Urmp --fork unshare -Urm unshare -Urm sh -c"
        " 'mount -t proc p /proc; umount -l $PWD/lib/secret.py; mount -o remount,rw / ; echo x > migrations/1.sql; echo x > lib/secret.py'"
    ),
    "an overlay over what is closed": (
        "mkdir -p /tmp/u /tmp/w /tmp/m; unshare -Urm sh -c 'mount -t overlay o -o lowerdir=migrations,upperdir=lib,workdir=/tmp/w /tmp/m;"
        " mount -t overlay o -o lowerdir=lib,upperdir=migrations,workdir=/tmp/w /tmp/m; echo x > /tmp/m/1.sql'"
    ),
    "mount by file descriptors": _python(
        """
tree = libc.syscall(428, -100, os.getcwd().encode(), 1)
libc.syscall(429, tree, b"", -100, b"/tmp", 4)
for path in ("/tmp/migrations/1.sql", f"/proc/self/fd/{tree}/migrations/1.sql"):
    try: open(path, "w").write("x")
    except OSError: pass
"""
    ),
    "keyrings": _python(
        """
asked = {"x86_64": (250, 248), "aarch64": (219, 217)}.get(os.uname().machine)
if asked:
    for ring in (-3, -4, -5):
        if libc.syscall(asked[0], 0, ring, 0) >= 0: print(os.environ["GOT_OUT"])
    if libc.syscall(asked[1], b"user", b"passdown", b"x", 1, -4) >= 0: print(os.environ["GOT_OUT"])
"""
    ),
    "typing into a terminal": _python(
        """
import fcntl, pty
if os.fork() == 0:
    ours, theirs = pty.openpty()
    os.setsid()
    fcntl.ioctl(theirs, 0x540E, 0)
    for asked in (0x5412, 0x100005412):
        if libc.ioctl(theirs, ctypes.c_ulong(asked), b"x") == 0: print(os.environ["GOT_OUT"], flush=True)
    os._exit(0)
os.wait()
"""
    ),
    "hard links by descriptor": _python(
        """
for path, to in (("migrations/1.sql", "lib/one.sql"), ("lib/secret.py", "lib/two.py"), (os.environ["OUT"] + "/file", "lib/three")):
    found = os.open(path, os.O_PATH)
    libc.linkat(-100, f"/proc/self/fd/{found}".encode(), -100, to.encode(), 0x400)
    libc.linkat(found, b"", -100, to.encode(), 0x1000)
    try: open(to, "r+").write("x")
    except OSError: pass
"""
    ),
    "links exchanged while they are written": (
        "mkdir lib/race; (for n in 1 2 3 4 5 6 7 8 9; do rm -rf lib/race; ln -s $OUT lib/race; rm lib/race; mkdir lib/race; done) &"
        " for n in 1 2 3 4 5 6 7 8 9; do echo x > lib/race/file; echo x > lib/race/new; done; wait"
    ),
    "history that was packed": "rm -rf .git/objects/pack; mv .git/objects/pack .git/p; for f in .git/objects/pack/*; do : > $f; mv $f /tmp; done",
    "links that git writes through": (
        "for f in HEAD index logs/HEAD refs/heads/main ORIG_HEAD COMMIT_EDITMSG packed-refs; do mkdir -p .git/${f%/*}; rm -f .git/$f; ln -s $OUT/file .git/$f; done;"
        " ln -s $OUT .git/objects/aa; ln -s $OUT .git/refs/out; ln -s $OUT .git/logs/refs/heads/out"
    ),
    "git's alternates": "mkdir -p .git/objects/info; echo $OUT > .git/objects/info/alternates; git add lib; git fsck; git prune --expire=now",
    "git's own doors": (
        "GIT_DIR=$OUT git init -q; GIT_WORK_TREE=$OUT git checkout -q -f HEAD -- .; git --work-tree=$OUT reset -q --hard;"
        " git -c core.worktree=$OUT checkout -q -f HEAD; git worktree add -q $OUT/w; git clone -q . $OUT/clone; git archive -o $OUT/file HEAD;"
        " git format-patch -q -o $OUT -1; git bundle create -q $OUT/file HEAD; git submodule add -q ./. sub"
    ),
    "a session bus, a container daemon, a display": (
        "for s in /run/dbus/system_bus_socket /run/user/*/bus /run/docker.sock /var/run/docker.sock /run/containerd/containerd.sock"
        " /run/user/*/wayland-0 /tmp/.X11-unix/X0 /run/user/*/podman/podman.sock /run/user/*/systemd/private /run/snapd.socket;"
        " do test -e $s && echo $GOT_OUT; done; busctl --user list; systemctl --user daemon-reexec && echo $GOT_OUT"
    ),
    "jobs for later": (
        "echo 'touch $OUT/new' | batch; echo '* * * * * touch $OUT/new' > /var/spool/cron/crontabs/$(id -un); mkdir -p ~/.config/systemd/user"
        " && echo x > ~/.config/systemd/user/x.service; echo x > ~/.xprofile; echo x > ~/.pam_environment; echo x > ~/.ssh/rc"
    ),
    "the parent's socket, moved and replaced": (
        "mv /run/passdown /run/p; rm -rf /run/passdown; umount -l /run/passdown/broker; umount -l /run/passdown; : > /run/passdown/new;"
        " mount -t tmpfs x /run/passdown; ls /run/passdown | grep -v '^broker$' && echo $GOT_OUT"
    ),
}
"""Each changes nothing outside."""

MORE_READS = {
    "any socket that listens": _python(
        """
import socket
for path in (os.environ["WATCHED"], os.environ["AGENT"], "/proc/1/root" + os.environ["WATCHED"]):
    for kind in (1, 2, 5):
        try: socket.socket(1, kind).connect(path)
        except OSError: pass
"""
    ),
    "abstract datagrams": _python(
        """
import socket
for kind in (1, 2, 5):
    try:
        asked = socket.socket(1, kind)
        asked.sendto(b"x", chr(0) + os.environ["ABSTRACT"]) if kind == 2 else asked.connect(chr(0) + os.environ["ABSTRACT"])
    except OSError: pass
"""
    ),
    "keys of key agents": "cat ~/.gnupg/* ~/.gnupg/private-keys-v1.d/*; gpg-connect-agent 'keyinfo --list' /bye; ssh-add -L",
    "a copy through git": "git -C ~ init -q /tmp/x; git -C /tmp/x --work-tree=$HOME add -f .ssh .netrc .aws; git -C /tmp/x show :.netrc :.ssh/id_ed25519",
    "what the first process holds": "cat /proc/1/environ /proc/1/cmdline /proc/1/fd/* /proc/2/environ; strings /proc/1/mem",
}
"""Each shows no key and reaches no agent."""
