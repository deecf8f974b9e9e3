# Agents that no user can reach, and such as only look so: python3 reach.py NUMBER:KIND:AGENT...
# sets each, then stays, as what holds the terminals of those that live. The last word of an
# agent's command line is NUMBER:KIND:AGENT; into /tmp/scene/reach/NUMBER it writes that it runs,
# and each signal that it gets. HUP comes from the kernel here, and is ignored.
import fcntl
import os
import signal
import subprocess
import sys
import termios
import time

LIFE = """
import os, signal, sys, time
diary = os.open('/tmp/scene/reach/' + sys.argv[-1].split(':')[0], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
deaf, busy = DEAF, BUSY
def heard(number, _):
    os.write(diary, (signal.Signals(number).name[3:] + '\\n').encode())
    if not deaf: os._exit(128 + number)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
for one in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT): signal.signal(one, heard)
os.write(diary, b'alive\\n')
transcript = os.open('/tmp/scene/reach/transcript', os.O_WRONLY | os.O_CREAT)
while busy:
    os.pwrite(transcript, b'x' * 4096, 0)
    time.sleep(0.05)
while True: time.sleep(3600)
"""
# A login shell: its launcher runs in the foreground in a group of its own, starts the agent and
# ends once that runs; the shell takes the terminal back.
SHELL = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
name, code, word = sys.argv[1:]
launcher = os.fork()
if launcher == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    subprocess.Popen([name, '-c', code, word], executable=sys.executable)
    while not os.path.exists('/tmp/scene/reach/' + word.split(':')[0]): time.sleep(0.02)
    os._exit(0)
os.waitpid(launcher, 0)
os.tcsetpgrp(0, os.getpid())
open('/tmp/scene/reach/' + word.split(':')[0] + '.back', 'w').close()
while True: time.sleep(3600)
"""
# An editor, which is killed once its agent runs; with KEEP another process holds the same ends.
EDITOR = """
import subprocess, sys, time
name, code, word, keep = sys.argv[1:]
agent = subprocess.Popen([name, '-c', code, '-p', '--input-format', 'stream-json', word],
    executable=sys.executable, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
if keep == 'yes':
    ends = (agent.stdin.fileno(), agent.stdout.fileno())
    subprocess.Popen(['sleep', '77777'], pass_fds=ends, start_new_session=True)
open('/tmp/scene/reach/' + word.split(':')[0] + '.set', 'w').close()
while True: time.sleep(3600)
"""
# What keeps the terminal of an agent, under the name of a multiplexer, by which python finds no python.
KEEPER = """
import fcntl, os, subprocess, sys, termios, time
name, code, word = sys.argv[1:]
master, slave = os.openpty()
def lead():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
subprocess.Popen([name, '-c', code, word], executable='/usr/bin/python3', stdin=slave, stdout=slave, stderr=slave, preexec_fn=lead)
os.close(slave)
while True: time.sleep(3600)
"""
null = subprocess.DEVNULL
masters = []


def life(deaf=False, busy=False):
    return LIFE.replace("DEAF", str(deaf)).replace("BUSY", str(busy))


def await_file(path):
    while not os.path.exists(path):
        time.sleep(0.02)


def runs(word):
    path = f"/tmp/scene/reach/{word.split(':')[0]}"
    await_file(path)
    while os.path.getsize(path) == 0:
        time.sleep(0.02)


def on_terminal(argv, out=None):
    """Leads a session of its own on a terminal; gives the master's descriptor."""
    master, slave = os.openpty()

    def lead():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    subprocess.Popen(
        argv, executable=sys.executable, stdin=slave, stdout=out or slave, stderr=out or slave, preexec_fn=lead
    )
    os.close(slave)
    return master


def closed(word, agent, code, out=None):
    master = on_terminal([agent, "-c", code, word], out)
    runs(word)
    os.close(master)


def behind_launcher(word, agent, stays):
    master = on_terminal([sys.executable, "-c", SHELL, agent, life(), word])
    runs(word)
    await_file(f"/tmp/scene/reach/{word.split(':')[0]}.back")
    if stays:
        masters.append(master)
    else:
        os.close(master)


def by_editor(word, agent, keep):
    editor = subprocess.Popen([sys.executable, "-c", EDITOR, agent, life(), word, keep], start_new_session=True)
    runs(word)
    await_file(f"/tmp/scene/reach/{word.split(':')[0]}.set")
    editor.kill()
    editor.wait()


def started(argv, word, **more):
    subprocess.Popen(argv, executable=sys.executable, start_new_session=True, **more)
    runs(word)


def daemon(word, agent):
    """The script has the name of the command: perl and python show it as their second word."""
    folder = f"/tmp/scene/reach/{word.split(':')[0]}.d"
    os.makedirs(folder)
    command = {"claude": "daemon", "codex": "app-server"}.get(agent, "serve")
    with open(f"{folder}/{command}", "w") as file:
        file.write(life())
    started([agent, command, "run", word], word, stdin=null, stdout=null, stderr=null, cwd=folder)


def to_a_pipe(word, agent):
    read, write = os.pipe()
    closed(word, agent, life(), write)
    os.close(write)
    masters.append(read)


log = open("/tmp/scene/answer.txt", "w")
kinds = {
    "hung-up": lambda word, agent: closed(word, agent, life()),
    "hung-up-deaf": lambda word, agent: closed(word, agent, life(deaf=True)),
    "busy": lambda word, agent: closed(word, agent, life(busy=True)),
    "to-a-file": lambda word, agent: closed(word, agent, life(), log),
    "to-a-pipe": to_a_pipe,
    "terminal": lambda word, agent: (masters.append(on_terminal([agent, "-c", life(), word])), runs(word)),
    "cut-off": lambda word, agent: behind_launcher(word, agent, True),
    "launcher-gone-then-closed": lambda word, agent: behind_launcher(word, agent, False),
    "editor-gone": lambda word, agent: by_editor(word, agent, "no"),
    "held": lambda word, agent: by_editor(word, agent, "yes"),
    "detached": lambda word, agent: started(["tmux", "-c", KEEPER, agent, life(), word], word, stdin=null),
    "cron": lambda word, agent: started([agent, "-c", life(), word], word, stdin=null, stdout=log, stderr=log),
    "daemon": daemon,
}
for word in sys.argv[1:]:
    _, kind, agent = word.split(":")
    kinds[kind](word, agent)
# Agents that its launchers left are no children of it; what is, it collects.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
open(f"/tmp/scene/reach/ready.{os.getpid()}", "w").close()
while True:
    time.sleep(3600)
