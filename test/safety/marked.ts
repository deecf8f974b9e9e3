import { FakeClaude } from '../os/scene/claude.ts';
import { lookBefore } from '../os/scene/curfew.ts';
import { bystander, innocent, type Innocent, innocentProgram } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { SituationKind } from './world.ts';

// Situations in which marks, or the death of one process, tell less than they seem to. What a call
// left beside them was seen by a look, so that doing nothing is no way out.

interface Put {
  readonly innocents: readonly Innocent[];
  readonly due: readonly Identity[];
}

const node = '/tmp/scene/bin/node';
let names = 0;

const program = (stage: Scene, what: string) => {
  stage.program(node);
  const path = `/tmp/work/${what}-${names++}.js`;
  return { path, start: `${node} ${path}`, ...innocentProgram(stage, path) };
};

const leftBy = async (
  stage: Scene,
  claude: FakeClaude,
  what: string,
  how: 'foreground' | 'foregroundSeen',
): Promise<Innocent> => {
  const left = program(stage, what);
  await claude[how](`nohup ${left.start} </dev/null >/dev/null 2>&1 & sleep 0.1`);
  return left.ready();
};

type Marked = Extract<SituationKind, 'read-env' | 'queued' | 'worker'>;

/** What starts a program of the user with marks, of an agent that has died. */
const starters: Readonly<Record<Marked, string | null>> = { 'read-env': null, queued: 'atd', worker: 'gunicorn' };

/**
 * The marks of an agent reach a program of the user when it has died, beside a witnessed and a
 * claimed leftover of that session.
 * @param isCertain no other agent of the world could have the session: the witnessed one is due
 */
export const marked = async (stage: Scene, kind: Marked, isCertain: boolean): Promise<Put> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/${kind}` });
  const name = starters[kind];
  const starter = name === null ? stage.top : await stage.actor({ argv: [name], setsid: true });
  const env = claude.environment();
  const claimed = await leftBy(stage, claude, 'unseen', 'foreground');
  const witnessed = await leftBy(stage, claude, 'seen', 'foregroundSeen');
  await claude.crash();
  const users = program(stage, kind);
  await starter.start({
    file: node,
    argv: ['node', users.path],
    env,
    cwd: stage.home,
    setsid: kind !== 'worker',
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  const innocents = [claimed, await users.ready()];
  if (name !== null) innocents.push(bystander(stage, name, starter.pid));
  return { innocents, due: isCertain ? [witnessed.identity] : [] };
};

/** A session goes on in a second process; the one that began what is left has died. */
export const twoProcesses = async (stage: Scene): Promise<Put> => {
  const first = await FakeClaude.start(stage, { project: `${stage.home}/two` });
  const left = await leftBy(stage, first, 'two', 'foregroundSeen');
  const second = await FakeClaude.start(stage, { session: first.session, project: first.project });
  await first.crash();
  return { innocents: [left, bystander(stage, 'the second process of a session', second.actor.pid)], due: [] };
};

/** An agent of no dossier keeps servers by pipes, with the marks of the agent that it began in. */
export const unknownAgent = async (stage: Scene): Promise<Put> => {
  const outer = await FakeClaude.start(stage, { project: `${stage.home}/unknown` });
  const env = outer.environment();
  const agent = await stage.actor({ argv: [`helper-${names++}`], setsid: true, env });
  const innocents = [bystander(stage, 'an agent that is not known', agent.pid)];
  for (const what of ['server-of-unknown', 'language-server-of-unknown']) {
    const server = program(stage, what);
    await agent.begin({
      file: node,
      argv: ['node', server.path],
      env,
      cwd: stage.home,
      setsid: true,
      fds: { 0: 'pipe', 1: 'pipe', 2: '/dev/null' },
    });
    innocents.push(await server.ready());
  }
  await outer.crash();
  return { innocents, due: [] };
};

/** An agent lives in a dead session of another one, and has something in the background. */
export const nestedAgent = async (stage: Scene): Promise<Put> => {
  const outer = await FakeClaude.start(stage, { project: `${stage.home}/nested` });
  const env = outer.environment();
  const inner = await stage.actor({ argv: ['crush'], parent: outer.actor, setsid: true, env });
  const left = program(stage, 'of-nested');
  const argv = ['bash', '-c', `nohup ${left.start} </dev/null >/dev/null 2>&1 & sleep 0.1`];
  await inner.ended(await inner.start({ file: '/bin/bash', argv, env, cwd: outer.project, setsid: true }));
  const innocents = [await left.ready(), bystander(stage, 'an agent in a dead session', inner.pid)];
  await lookBefore(stage);
  await outer.crash();
  return { innocents, due: [] };
};

/** The log of a program of the user lies in a copy of the folder in which a session had outputs. */
export const oddLog = async (stage: Scene, isCertain: boolean): Promise<Put> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/logs` });
  const witnessed = await leftBy(stage, claude, 'seen', 'foregroundSeen');
  const log = stage.write(`/tmp/work/copy-${names++}${claude.tasks}/b12345678.output`, '');
  const argv = ['node', `logs-${names++}.js`] as const;
  const users = await innocent(stage, { argv, setsid: true, fds: { 1: log, 2: '/dev/null' } });
  await claude.crash();
  return { innocents: [users], due: isCertain ? [witnessed.identity] : [] };
};

/** A call starts a service of the user again, by the same command on the same port. */
export const restartedService = async (stage: Scene): Promise<Put> => {
  stage.program('/tmp/scene/path/node');
  const name = `service-${names}.js`;
  const port = 43_000 + names++;
  const argv = ['node', `/tmp/work/${name}`] as const;
  const before = await innocent(stage, { argv, cwd: '/tmp/work', setsid: true }, { port });
  await lookBefore(stage);
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/services` });
  await stage.first.signal(before.identity.pid, 'KILL');
  await stage.until('the service has ended', () => !stage.lives(before.identity));
  const again = innocentProgram(stage, `/tmp/work/${name}`, { port });
  await claude.foregroundSeen(`cd /tmp/work; nohup node ${name} </dev/null >/dev/null 2>&1 & true`);
  const innocents = [await again.ready()];
  await claude.crash();
  return { innocents, due: [] };
};

type Shared = Extract<SituationKind, `shares-${string}` | 'holds-socket'>;

/** Ways to be connected without a listener, in Python: what a leftover does, and its client. */
const ways: Readonly<Record<Shared, (number: number) => { readonly serve: string; readonly use: string }>> = {
  'holds-socket': (number) => ({
    serve: `import socket; s=socket.create_server(("127.0.0.1",${42_000 + number})); note("ready"); c,_=s.accept(); s.close(); note("taken")`,
    use: `import socket; c=socket.create_connection(("127.0.0.1",${42_000 + number}))`,
  }),
  'shares-fifo': (number) => ({
    serve: `os.mkfifo("/tmp/scene/fifo-${number}"); f=os.open("/tmp/scene/fifo-${number}",os.O_RDWR); note("ready"); note("taken")`,
    use: `f=os.open("/tmp/scene/fifo-${number}",os.O_WRONLY)`,
  }),
  'shares-terminal': (number) => ({
    serve: `import pty; m,s=pty.openpty(); os.symlink(os.ttyname(s),"/tmp/scene/pts-${number}"); os.close(s); note("ready"); note("taken")`,
    use: `f=os.open("/tmp/scene/pts-${number}",os.O_RDWR|os.O_NOCTTY)`,
  }),
  'shares-memory': (number) => ({
    serve: `import mmap; f=open("/tmp/scene/memory-${number}","wb+"); f.truncate(4096); m=mmap.mmap(f.fileno(),4096); f.close(); note("ready"); note("taken")`,
    use: `import mmap; f=open("/tmp/scene/memory-${number}","rb+"); m=mmap.mmap(f.fileno(),4096); f.close()`,
  }),
};

/** A program of the user uses what a session left and a look saw. */
export const shared = async (stage: Scene, kind: Shared): Promise<Put> => {
  const number = names++;
  const sign = (what: string): string => `/tmp/scene/shared-${number}-${what}`;
  const { serve, use } = ways[kind](number);
  const text = (lines: string): string =>
    `import os, time\ndef note(w): open("/tmp/scene/shared-${number}-"+w,"w").close()\n${lines}\ntime.sleep(3600)\n`;
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/shared` });
  const script = stage.write(`/tmp/work/shared-${number}.py`, text(serve));
  await claude.foregroundSeen(`nohup python3 ${script} </dev/null >/dev/null 2>&1 & sleep 0.1`);
  await stage.until('what is shared is there', () => stage.has(sign('ready')));
  const left = await stage.find('what shares', ({ argv }) => argv.at(-1) === script);
  const user = await stage.top.begin({
    file: '/usr/bin/python3',
    argv: ['python3', '-c', text(`${use}; note("came")`)],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });
  await stage.until('it is shared', () => stage.has(sign('came')) && stage.has(sign('taken')));
  await claude.crash();
  return {
    innocents: [bystander(stage, `what ${kind}`, left.pid), bystander(stage, `its user (${kind})`, user.pid)],
    due: [],
  };
};
