import { linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { machineProgram } from '../os/faults/machine-program.ts';
import { childEnvironment } from '../os/scene/claude-shell.ts';
import { FakeClaude } from '../os/scene/claude.ts';
import { startCurfew } from '../os/scene/curfew.ts';
import { bystander, type Innocent, innocentProgram } from '../os/scene/innocents.ts';
import { agents, type OpenedTerminal, openTerminal, terminals } from '../os/scene/opened-terminal.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { withoutSs } from '../os/spared/sockets-unseen.ts';
import { grouped } from './grouped.ts';
import { held, kept, locked } from './held.ts';
import { marked, nestedAgent, oddLog, restartedService, shared, twoProcesses, unknownAgent } from './marked.ts';
import { besideNotes } from './noted.ts';
import {
  innocentProcesses,
  isEndCertain,
  isGroupDue,
  isLost,
  type InnocentKind,
  type SituationKind,
  type WorldPlan,
} from './world.ts';

/** What a situation put on the stage. */
export interface Placed {
  /** What nothing may happen to. */
  readonly innocents: readonly Innocent[];
  /** What must be dead in the end, so that sparing everything is no way out. */
  readonly due: readonly Identity[];
}

/** Whether it is more than one process. */
export const isSituation = (kind: InnocentKind): kind is SituationKind =>
  !innocentProcesses.some((one) => one === kind);

const otherUser = 65_534;
const node = '/tmp/scene/bin/node';
const quiet = '</dev/null >/dev/null 2>&1';
let names = 0;

/** A program of the user, or of a tool call, with the command that starts it. */
const program = (stage: Scene, what: string) => {
  stage.program(node);
  const path = `/tmp/work/${what}-${names++}.js`;
  return { start: `${node} ${path}`, ...innocentProgram(stage, path) };
};

/** A call leaves a program behind, which a look saw, and returns. */
const leftBy = async (stage: Scene, claude: FakeClaude, what: string): Promise<Innocent> => {
  const left = program(stage, what);
  await claude.foregroundSeen(`nohup ${left.start} >/dev/null 2>&1 & sleep 0.1`);
  return left.ready();
};

/** Types a command that starts the user's program in the background and lets it go. */
const typeNohup = async (stage: Scene, terminal: OpenedTerminal): Promise<Innocent> => {
  const bot = program(stage, 'bot');
  const letGo = `/tmp/scene/let-go-${names++}`;
  terminal.type(`nohup ${bot.start} ${quiet} & disown; : > ${letGo}`);
  const one = await bot.ready();
  await stage.until('the shell has let it go', () => stage.has(letGo));
  return one;
};

/** Ways in which the entry of a registry can be there and say nothing. */
const damages: Readonly<
  Record<Extract<SituationKind, `entry-${string}`>, (stage: Scene, path: string) => void | Promise<void>>
> = {
  'entry-empty': (stage, path) => writeFileSync(stage.outside(path), ''),
  'entry-cut-off': (stage, path) => writeFileSync(stage.outside(path), '{"pid": 12, "sessionId": "'),
  'entry-fifo': async (stage, path) => {
    rmSync(stage.outside(path));
    await machineProgram(stage, 'mkfifo', path);
  },
  'entry-link': (stage, path) => {
    const elsewhere = `${stage.home}/entry-${names++}.json`;
    linkSync(stage.outside(path), stage.outside(elsewhere));
    rmSync(stage.outside(path));
    symlinkSync(elsewhere, stage.outside(path));
  },
};

/**
 * A session goes on in another process than the one whose call left something; its own files tell
 * nothing of it any more.
 */
const resumed = async (stage: Scene, kind: keyof typeof damages): Promise<Placed> => {
  const version = kind === 'entry-empty' || kind === 'entry-fifo' ? '2.1.197' : '2.1.329';
  const first = await FakeClaude.start(stage, { version, project: `${stage.home}/resumed` });
  const left = await leftBy(stage, first, 'resumed');
  await first.crash();
  const second = await FakeClaude.start(stage, { version, session: first.session, project: first.project });
  // Its folder of tasks is not open: only the registry tells.
  await second.actor.release();
  await damages[kind](stage, second.registration);
  return { innocents: [left, bystander(stage, 'the resumed agent', second.actor.pid)], due: [] };
};

/**
 * Lets a broker, or an adopter, run what a tool call of an agent asked for, with that agent's
 * marks.
 */
const runFor = async (
  stage: Scene,
  { pid, version, broker }: { readonly pid: number; readonly version: '2.1.197' | '2.1.329'; readonly broker: string },
): Promise<Innocent> => {
  const left = program(stage, 'asked-for');
  const parent = await stage.actor({ argv: [broker], setsid: true });
  const marks = { version, pid, session: randomUUID(), executable: '/app/bin/claude' } as const;
  const env = {
    ...stage.userEnvironment(),
    ...childEnvironment({ ...marks, started: '/tmp/claude-0/-home-s/started', entrypoint: 'cli' }, 'agent'),
  };
  const argv = ['bash', '-c', `nohup ${left.start} ${quiet} & sleep 0.1`];
  await parent.ended(await parent.start({ file: '/bin/bash', argv, env, cwd: stage.home, setsid: true }));
  return left.ready();
};

/** An agent in a pid namespace of its own; its marks say the pid that it has there. */
const sandboxed = async (stage: Scene): Promise<Placed> => {
  const path = `/tmp/work/sandbox-${names++}/agent`;
  const { ready } = innocentProgram(stage, path);
  const claude = stage.program('claude');
  await stage.top.start({
    file: '/usr/bin/unshare',
    argv: ['unshare', '--pid', '--fork', '--kill-child', 'sh', '-c', `${claude} ${path} & wait`],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });
  const agent = await ready();
  const pids = /^NSpid:\s(.*)$/mu.exec(stage.read(`/proc/${agent.identity.pid}/status`))?.[1]?.split('\t') ?? [];
  const asked = { pid: Number(pids.at(-1)), version: '2.1.329', broker: 'flatpak-session-helper' } as const;
  return { innocents: [agent, await runFor(stage, asked)], due: [] };
};

/**
 * Ways to be connected, in perl: where the server listens, what it does then, which may say that a
 * client came, and what the client does.
 */
const sockets: Readonly<
  Record<
    Extract<SituationKind, `client-${string}`>,
    (number: number) => { readonly listen: string; readonly serve: string; readonly connect: string }
  >
> = {
  'client-tcp': (number) => ({
    listen: `IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:${40_000 + number}")`,
    serve: 'while (1) { push @c, $s->accept; note("taken") }',
    connect: `IO::Socket::INET->new("127.0.0.1:${40_000 + number}")`,
  }),
  'client-udp': (number) => ({
    listen: `IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1:${40_000 + number}")`,
    serve: 'while (1) { $s->recv($d, 9); note("taken") }',
    connect: `($t = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1:${40_000 + number}")) && $t->send("x") && $t`,
  }),
  'client-unix': (number) => ({
    listen: `IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/scene/served-${number}")`,
    serve: 'while (1) { push @c, $s->accept; note("taken") }',
    connect: `IO::Socket::UNIX->new("/tmp/scene/served-${number}")`,
  }),
  'client-waiting': (number) => ({
    listen: `IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/scene/served-${number}")`,
    serve: 'sleep 3600',
    connect: `IO::Socket::UNIX->new("/tmp/scene/served-${number}")`,
  }),
};

const perl = (stage: Scene, text: string): Promise<Identity> =>
  stage.top.begin({
    file: '/usr/bin/perl',
    argv: ['perl', '-MIO::Socket', '-e', text],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });

/** A program of the user is connected to what a session left, on a machine that has no ss. */
const connected = async (stage: Scene, kind: keyof typeof sockets): Promise<Placed> => {
  await withoutSs(stage);
  const number = names++;
  const { listen, serve, connect } = sockets[kind](number);
  const noted = (what: string): string => `/tmp/scene/client-${number}-${what}`;
  const note = `sub note { open F, ">", "${noted('')}$_[0]"; close F }`;
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/served` });
  const text = `${note} $s = ${listen}; note("listens"); ${serve}`;
  await claude.foregroundSeen(`nohup perl -MIO::Socket -e '${text}' >/dev/null 2>&1 & true`);
  await stage.until('the server listens', () => stage.has(noted('listens')));
  const server = await stage.find('the server', ({ argv }) => argv.at(-1) === text);
  const client = await perl(stage, `${note} $c = ${connect}; note("came") if $c; sleep 3600`);
  const signs = serve.includes('note') ? ['came', 'taken'] : ['came'];
  await stage.until('it is connected', () => signs.every((sign) => stage.has(noted(sign))));
  await claude.crash();
  return {
    innocents: [
      bystander(stage, 'what a client is connected to', server.pid),
      bystander(stage, 'a client', client.pid),
    ],
    due: [],
  };
};

const writesMapped = `import mmap,time
f=open("/tmp/scene/mapped-%","w+b"); f.truncate(4096); m=mmap.mmap(f.fileno(),4096)
while True: m[0]=(m[0]+1)%256; time.sleep(0.5)`;

/**
 * Jobs of a living session of which little shows that they work: one that gets an event every
 * second, one that writes a mapped file, a client of a container. One is beside them to which
 * nothing comes.
 */
const getsEvents = async (stage: Scene, plan: WorldPlan): Promise<Placed> => {
  const path = `/tmp/scene/events-${names++}`;
  await perl(
    stage,
    `$s = IO::Socket::UNIX->new(Listen => 5, Local => "${path}"); $c = $s->accept; while (1) { $c->send("x"); sleep 1 }`,
  );
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/events` });
  const wait = `until ($c = IO::Socket::UNIX->new("${path}")) { select undef, undef, undef, 0.05 } while (1) { $c->recv($d, 9) }`;
  const busy = [
    `perl -MIO::Socket -e '${wait}'`,
    `python3 -c '${writesMapped.replace('%', String(names++))}'`,
    `${stage.program('docker')} -e 'sleep 3600'`,
  ];
  const calls = await Promise.all(busy.map((command) => claude.bash(command)));
  const silent = await claude.bash('sleep 7777');
  const innocents = [
    bystander(stage, 'a living agent', claude.actor.pid),
    ...calls.map(({ shell }) => bystander(stage, 'what hardly shows that it works', shell.pid)),
  ];
  return plan.by === 'watch' && !isLost(plan)
    ? { innocents, due: [silent.shell] }
    : { innocents: [...innocents, bystander(stage, 'a silent job of a living agent', silent.shell.pid)], due: [] };
};

/** A debugger of the user holds what a session left. */
const traced = async (stage: Scene): Promise<Placed> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/traced` });
  const left = await leftBy(stage, claude, 'traced');
  const { pid } = left.identity;
  const text = readFileSync(join(import.meta.dirname, 'programs/tracer.pl'), 'utf8');
  const script = stage.write('/tmp/scene/tracer.pl', text);
  const tracer = await stage.top.begin({
    file: stage.program('gdbserver'),
    argv: ['gdbserver', script, String(pid)],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });
  await stage.until('it is traced', () => stage.read(`/proc/${pid}/status`).includes(`TracerPid:\t${tracer.pid}\n`));
  await claude.crash();
  return { innocents: [left, bystander(stage, 'its tracer', tracer.pid)], due: [] };
};

/**
 * A run of a session's ends, beside what is protected and has left it; one with --strict ends that,
 * too.
 */
const runServers = async (stage: Scene): Promise<Placed> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/run` });
  const innocents: Innocent[] = [];
  const due: Identity[] = [];
  for (const strict of [[], ['--strict']] as const) {
    const folder = `/tmp/work/run-${names++}`;
    const servers = ['tmux', 'ssh-agent'].map((name) => {
      const path = `${folder}/${name}.js`;
      return { command: `setsid -f ${stage.program(name)} ${path} ${quiet}`, ...innocentProgram(stage, path) };
    });
    const left = ['one', 'two'].map((name) => {
      const path = `${folder}/${name}.pl`;
      stage.script(path, '', 'resident.pl');
      return path;
    });
    const lines = [
      ...servers.map(({ command }) => command),
      `${stage.program(node)} ${left[0]} &`,
      `setsid ${node} ${left[1]} &`,
      'wait',
    ];
    const script = stage.write(`${folder}/start.sh`, `${lines.join('\n')}\n`);
    const run = await startCurfew(stage, ['run', '--grace', '1', ...strict, '--', 'bash', script], {
      env: { ...claude.environment(), CURFEW_HOME: `${folder}/curfew` },
    });
    const protectedOnes = await Promise.all(servers.map(({ ready }) => ready()));
    const rest = await Promise.all(
      left.map(async (path) => stage.identity((await stage.find(path, ({ argv }) => argv[1] === path)).pid)),
    );
    await run.signal('TERM');
    await run.ended();
    if (strict.length === 0) innocents.push(...protectedOnes);
    else rest.push(...protectedOnes.map(({ identity }) => identity));
    due.push(...rest);
  }
  await claude.crash();
  return { innocents, due };
};

/** Puts one situation on the stage, and lets all happen in it that happens before Curfew looks. */
export const putSituation = async (stage: Scene, kind: SituationKind, plan: WorldPlan): Promise<Placed> => {
  switch (kind) {
    case 'terminal-closed': {
      const agent = await agents['Claude Code'](stage);
      const terminal = await openTerminal(stage, 'zellij', terminals.zellij, agent.run);
      const bot = await typeNohup(stage, terminal);
      await terminal.close();
      await agent.crash();
      return { innocents: [bot], due: [] };
    }
    case 'terminal-open': {
      const agent = await agents.Codex(stage);
      const terminal = await openTerminal(stage, 'wezterm-gui', {}, agent.run);
      const bot = program(stage, 'bot');
      terminal.type(`setsid -f ${bot.start} ${quiet}`);
      const innocents = [await bot.ready(), bystander(stage, 'the terminal', terminal.pid)];
      await agent.crash();
      return { innocents, due: [] };
    }
    case 'sourced-marks': {
      const agent = await agents['Claude Code'](stage);
      const file = `/tmp/scene/marks-${names++}.sh`;
      await agent.run(`export -p > ${file}`);
      await agent.crash();
      const terminal = await openTerminal(stage, 'foot', {}, async (line) => {
        const argv = ['sh', '-c', line];
        const env = stage.userEnvironment();
        await stage.top.ended(await stage.top.start({ file: '/bin/sh', argv, env, setsid: true }));
      });
      terminal.type(`. ${file}`);
      const bot = await typeNohup(stage, terminal);
      await terminal.close();
      return { innocents: [bot], due: [] };
    }
    case 'entry-empty':
    case 'entry-cut-off':
    case 'entry-fifo':
    case 'entry-link':
      return resumed(stage, kind);
    case 'sandboxed-agent':
      return sandboxed(stage);
    case 'other-users-agent': {
      const agent = await stage.actor({ argv: ['claude'], uid: otherUser, setsid: true });
      const asked = { pid: agent.pid, version: '2.1.197', broker: 'sudo' } as const;
      return { innocents: [await runFor(stage, asked), bystander(stage, 'another user’s agent', agent.pid)], due: [] };
    }
    case 'client-tcp':
    case 'client-udp':
    case 'client-unix':
    case 'client-waiting':
      return connected(stage, kind);
    case 'gets-events':
      return getsEvents(stage, plan);
    case 'holds-socket':
    case 'shares-fifo':
    case 'shares-terminal':
    case 'shares-memory':
      return shared(stage, kind);
    case 'read-env':
    case 'queued':
    case 'worker':
      return marked(stage, kind, isEndCertain(plan));
    case 'two-processes':
      return twoProcesses(stage);
    case 'unknown-agent':
      return unknownAgent(stage);
    case 'nested-agent':
      return nestedAgent(stage);
    case 'odd-log':
      return oddLog(stage, isEndCertain(plan));
    case 'restarted-service':
      return restartedService(stage);
    case 'uses-without-first-thread':
    case 'traces-mine':
    case 'entered-namespace':
    case 'has-kernels':
    case 'has-meeting-place':
    case 'holds-device':
    case 'driven-window':
    case 'viewed-display':
      return held(stage, kind, isEndCertain(plan));
    case 'user-keeps':
    case 'user-owns':
      return kept(stage, kind, plan);
    case 'locked-run':
      return locked(stage);
    case 'number-noted':
    case 'opened-noted':
      return besideNotes(stage, kind, isEndCertain(plan));
    case 'traced':
      return traced(stage);
    case 'run-servers':
      return runServers(stage);
    case 'calls-group':
    case 'shared-group':
    case 'whole-group':
    case 'lived-in-group':
    case 'group-again':
      return grouped(stage, kind, isGroupDue(plan));
  }
};
