"""Ways to change something outside the boundary from inside: a name and a shell script, run in the repository.

``$OUT`` is a folder outside, ``$OTHER`` a linked worktree, ``$PY`` a Python, ``$OUTSIDE_PID`` a process outside;
``$GOT_OUT`` is said where something worked that
must not; descriptors 7 (a file outside, open for writing) and 8 (the folder ``$OUT``) are given to the sandbox itself.
"""

from __future__ import annotations

_CTYPES = "import ctypes,os,sys; libc=ctypes.CDLL(None,use_errno=True); "

WRITES = {
    "redirect": "echo x > migrations/1.sql",
    "append": "echo x >> src/b.py",
    "redirect to a denied file in an allowed folder": "echo x > lib/secret.py",
    "redirect outside the repository": "echo x > $OUT/file",
    "new file outside": "echo x > $OUT/new; mkdir migrations/new; echo x > ../new",
    "sed in place": "sed -i s/m/x/ migrations/1.sql; sed -i s/s/x/ lib/secret.py",
    "tee, dd, install": "echo x | tee src/b.py; dd if=/dev/zero of=src/b.py count=1; install -m 644 lib/ok.py src/b.py",
    "interpreter": '$PY -c \'open("migrations/1.sql","w").write("x")\'',
    "variable": 'f=migr; g=ations; eval "echo x > $f$g/1.sql"',
    "truncate": "truncate -s 0 migrations/1.sql; truncate -s 0 lib/secret.py; truncate -s 0 $OUT/file",
    "open with O_TRUNC alone": "$PY -c 'import os; os.open(\"src/b.py\", os.O_RDONLY | os.O_TRUNC)'",
    "delete": "rm -f migrations/1.sql src/b.py lib/secret.py $OUT/file",
    "delete a tree": "rm -rf migrations src/deep lib/closed $OUT $HOME/.ssh; rm -rf .",
    "rename out": "mv lib/ok.py migrations/ok.py; mv lib/ok.py $OUT/ok.py",
    "rename in": "mv migrations/1.sql lib/1.sql; mv $OUT/file lib/file",
    "rename over": "cp lib/ok.py lib/new.py; mv -f lib/new.py lib/secret.py; mv -f lib/new.py src/b.py",
    "exchange": "$PY -c '" + _CTYPES + 'libc.syscall(316,-100,b"lib/ok.py",-100,b"lib/secret.py",2)' + "'",
    "rename the parent and make it anew": "mv lib/closed lib/x; mkdir lib/closed; echo x > lib/closed/c.py",
    "rename the parent's parent": "mv src/deep src/x; mkdir -p src/deep; echo x > src/deep/c.py",
    "rename the grandparent": "mv lib/far lib/x; mkdir -p lib/far/off; echo x > lib/far/off/denied.py",
    "rename the writable root": "mv lib l2; mkdir lib; mv .git g2; mkdir .git; mv ../repo ../repo2",
    "hard link, then write": "ln migrations/1.sql lib/hard.sql && echo x > lib/hard.sql; ln $OUT/file lib/h && echo x > lib/h",
    "hard link older than the start": "echo x > lib/twin.py; chmod 777 lib/twin.py; truncate -s 0 lib/twin.py",
    "symbolic link to a folder": "ln -s ../migrations lib/m; echo x > lib/m/1.sql; echo x > lib/m/2.sql",
    "symbolic link that is there already": "echo x > lib/out/file; echo x > lib/out/new",
    "symbolic link in place of a folder": "rmdir lib/empty; ln -s $OUT lib/empty; echo x > lib/empty/file",
    "chmod": "chmod 777 migrations/1.sql src/b.py lib/secret.py $OUT/file $OUT migrations .git/config",
    "chown, utime, xattr": "touch -d 2001-01-01 src/b.py $OUT/file; chown $(id -u) $OUT/file; setfattr -n user.x -v y src/b.py",
    "remove the attribute, then write": "chattr -i migrations/1.sql; chmod u+w migrations/1.sql; echo x > migrations/1.sql",
    "special file": "mkfifo $OUT/fifo; mknod lib/disk b 254 0; mknod $OUT/null c 1 3; echo x > lib/disk",
    "socket": '$PY -c \'import socket; socket.socket(socket.AF_UNIX).bind(__import__("os").environ["OUT"] + "/sock")\'',
    "copy_file_range, sendfile": '$PY -c \'import os; a=os.open("lib/ok.py",0); b=os.open("src/b.py",os.O_WRONLY); os.sendfile(b,a,0,9)\'',
    "io_uring or O_PATH through /proc": '$PY -c \'import os; f=os.open("src/b.py",os.O_PATH); open(f"/proc/self/fd/{f}","w")\'',
    "unlinked temporary file linked in": (
        "$PY -c '" + _CTYPES + 'f=os.open("lib",os.O_TMPFILE|os.O_RDWR); os.write(f,b"x");'
        ' libc.linkat(-100,f"/proc/self/fd/{f}".encode(),-100,b"migrations/2.sql",0x400)' + "'"
    ),
    "archive": "mkdir -p /tmp/t/migrations; echo x > /tmp/t/migrations/1.sql; tar -C /tmp/t -c . | tar -x --overwrite",
    "git config": "git config core.fsmonitor 'echo x'; git config --worktree core.x y; git config --global core.x y",
    "git config by rename": "cp .git/config .git/c2; mv -f .git/c2 .git/config; rm -f .git/config; echo > .git/config",
    "git settings planted": "echo > .git/config.worktree; echo $PWD/lib > .git/commondir; mv .git/commondir .git/x",
    "git hooks": "echo x > .git/hooks/pre-commit; mv .git/hooks .git/h2; rm -rf .git/hooks; mkdir -p .git/hooks/x",
    "git attributes and excludes": "echo '* filter=x' > .git/info/attributes; echo '*' > .git/info/exclude; mv .git/info .git/i2",
    "git modules": "mv .git/modules .git/m2; mkdir -p .git/modules/sub; echo x > .git/modules/sub/config; echo x > .git/modules/sub/hooks/x",
    "another worktree's git folder": "echo x > .git/worktrees/other/commondir; mv .git/worktrees .git/w2; echo x > .git/worktrees/other/HEAD",
    "another worktree": "echo x > $OTHER/README.md; git -C $OTHER checkout -q -f HEAD~0 -- .; git worktree remove -f $OTHER",
    "Passdown's record": "rm -rf .git/passdown; mv .git/passdown .git/p2; echo x > .git/passdown/store.git/config; git -C .git/passdown/store.git update-ref -d HEAD",
    "git checkout of outside files": "git checkout -q HEAD~1 -- migrations/ src/; git reset -q --hard HEAD~1; git stash; git clean -fdx",
    "git apply and mv": "git mv migrations/1.sql lib/1.sql; git rm -q -f migrations/1.sql; git apply -R --unsafe-paths /dev/null",
    "index only": "git rm -q --cached migrations/1.sql; git update-index --assume-unchanged src/b.py; echo x > src/b.py",
    "remount": "mount -o remount,rw,bind /; mount -o remount,rw,bind $PWD; echo x > migrations/1.sql",
    "unmount": "umount -l lib/closed; umount -l lib/secret.py; umount -l $PWD; echo x > lib/secret.py; umount -R -l /",
    "mount over": "mount --bind lib migrations; mount -t tmpfs x migrations; echo x > migrations/1.sql",
    "mount in namespaces of its own": "unshare -Urm sh -c 'mount -o remount,rw,bind $PWD; umount -l lib/secret.py; mount --bind lib migrations; echo x > lib/secret.py; echo x > migrations/1.sql'",
    "namespaces and the new mount calls": (
        "unshare -Urm $PY -c '"
        + _CTYPES
        + "a=(ctypes.c_uint64*4)(0,1,0,0); libc.syscall(442,-100,os.getcwd().encode(),0x8000,a,32);"
        ' open("migrations/1.sql","w").write("x")' + "'"
    ),
    "bubblewrap within": "bwrap --bind / / --dev /dev sh -c 'echo x > migrations/1.sql'; bwrap --dev-bind / / sh -c 'echo x > lib/secret.py'",
    "chroot and pivot": "unshare -Ur chroot / sh -c 'echo x > $PWD/migrations/1.sql'",
    "setuid program": "sudo -n sh -c 'echo x > migrations/1.sql'; su -c 'echo x > migrations/1.sql' root </dev/null; newgrp root </dev/null",
    "open_by_handle_at": (
        "$PY -c '" + _CTYPES + 'h=ctypes.create_string_buffer(b"\\x80\\0\\0\\0"+bytes(132)); m=ctypes.c_int();'
        ' libc.name_to_handle_at(-100,b"migrations/1.sql",h,ctypes.byref(m),0); f=libc.open_by_handle_at(os.open(".",0),h,2); os.write(f,b"x")'
        + "'"
    ),
    "disk device": "ls /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmsg /dev/fuse && echo $GOT_OUT",
    "kernel's switches": (
        "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /sys/kernel/uevent_helper"
        " /sys/fs/cgroup/cgroup.procs /proc/irq/default_smp_affinity; do (: > $f) && echo $GOT_OUT; done"
    ),
    "/proc/PID/root": "echo x > /proc/$OUTSIDE_PID/root$OUT/file; echo x > /proc/1/root$OUT/file; echo x > /proc/1/root$PWD/migrations/1.sql",
    "/proc/PID/cwd": "echo x > /proc/$OUTSIDE_PID/cwd/file; for p in /proc/[0-9]*; do echo x > $p/cwd/migrations/1.sql; done",
    "descriptors of others": "for f in /proc/[0-9]*/fd/*; do echo x > $f/file; echo x > $f/migrations/1.sql; done",
    "inherited descriptor": "echo x >&7; echo x > /proc/self/fd/7",
    "inherited folder descriptor": "echo x > /proc/self/fd/8/file; echo x > /dev/fd/8/new; rm -rf /proc/self/fd/8/file",
    "debugger on an outside process": "$PY -c '"
    + _CTYPES
    + 'libc.ptrace(16,int(os.environ["OUTSIDE_PID"]),0,0) or print(os.environ["GOT_OUT"])\'; gdb -p $OUTSIDE_PID -batch',
    "memory of an outside process": "(: > /proc/$OUTSIDE_PID/mem) && echo $GOT_OUT; echo 1000 > /proc/$OUTSIDE_PID/oom_score_adj",
    "kill outside processes": "kill -9 $OUTSIDE_PID; test $$ -lt 1000 && kill -9 -1; $PY -c 'import os; os.kill(int(os.environ[\"OUTSIDE_PID\"]),9)'",
    "another namespace": "nsenter -t $OUTSIDE_PID -m sh -c 'echo x > $OUT/file'; nsenter -t 1 -m sh -c 'echo x > $OUT/file'",
    "start-up files": "echo x >> ~/.bashrc; echo x >> ~/.profile; mkdir -p ~/.config/autostart; echo x > ~/.gitconfig",
    "keys": "echo x >> ~/.ssh/authorized_keys; echo x > ~/.netrc; mkdir -p ~/.aws",
    "agent's settings": "echo '{}' > ~/.claude/settings.json; rm ~/.claude/settings.json; echo x > ~/.codex/config.toml; mv ~/.claude ~/c2",
    "agent's hooks and commands": "mkdir -p ~/.claude/hooks/x ~/.claude/commands/x; echo x > ~/.claude/hooks/h; mv ~/.claude/hooks ~/.claude/h2; echo x > ~/.codex/hooks.json",
    "project's settings of agents": "mkdir -p .claude; echo x > .claude/settings.json; echo x > .mcp.json",
    "caches of others": "echo x > ~/.cache/wheel; rm -rf ~/.cache",
    "scheduled": "echo '* * * * * true' | crontab -; echo true | at now; systemd-run --user true; echo x > /etc/cron.d/passdown-test",
    "shared memory and queues": "echo x > /dev/shm/passdown-test; mkdir -p /var/tmp/passdown-test /tmp/passdown-test /run/passdown-test",
}
"""Each changes nothing outside."""

READS = {
    "keys": "cat ~/.ssh/id_ed25519 ~/.netrc ~/.aws/credentials ~/.config/gh/hosts.yml",
    "keys by another name": "cat /proc/1/root$HOME/.ssh/id_ed25519; cat $HOME/../home/.netrc; find $HOME/../.. /tmp /run /dev -name id_ed25519 -exec cat {} +",
    "unmounted": "umount -l ~/.ssh; cat ~/.ssh/id_ed25519; unshare -Urm sh -c 'umount -l ~/.ssh; cat ~/.ssh/*'",
    "variables": "env; cat /proc/self/environ /proc/1/environ; cat /proc/$OUTSIDE_PID/environ /proc/[0-9]*/environ",
    "SSH agent": '$PY -c \'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(os.environ.get("SSH_AUTH_SOCK") or os.environ["AGENT"])\'',
    "abstract socket": "$PY -c 'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(chr(0)+os.environ[\"ABSTRACT\"])'",
}
"""Each shows no key and reaches no agent."""
