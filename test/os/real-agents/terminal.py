"""A terminal for one program: `terminal.py TYPED PROGRAM ARGUMENT…`.

Creates the named pipe TYPED and hands on what is written into it as if it were typed. Answers what
interfaces ask of a terminal at their start, for not all begin without. Its end closes the terminal.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

typed, argv = sys.argv[1], sys.argv[2:]
os.mkfifo(typed)
keys = os.open(typed, os.O_RDWR | os.O_NONBLOCK)
pid, terminal = pty.fork()
if pid == 0:
    os.close(keys)
    os.execvp(argv[0], argv)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))

answers = [
    (rb"\x1b\[6n", b"\x1b[1;1R"),
    (rb"\x1b\[5n", b"\x1b[0n"),
    (rb"\x1b\[0?c", b"\x1b[?62;22c"),
    (rb"\x1b\[>0?c", b"\x1b[>0;276;0c"),
    (rb"\x1b\[>0?q", b"\x1bP>|XTerm(370)\x1b\\"),
    (rb"\x1b\[\?u", b"\x1b[?0u"),
    (rb"\x1b\]10;\?(?:\x07|\x1b\\)", b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
    (rb"\x1b\]11;\?(?:\x07|\x1b\\)", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
]

while True:
    for ready in select.select([terminal, keys], [], [])[0]:
        try:
            data = os.read(ready, 65536)
        except OSError:  # its program has ended
            data = b""
        if ready == keys:
            os.write(terminal, data)
            continue
        if not data:
            _, status = os.waitpid(pid, 0)
            sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
        os.write(1, data)
        for asked, said in answers:
            for _ in re.findall(asked, data):
                os.write(terminal, said)
