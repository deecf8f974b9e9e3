import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { programOf } from '../../../build/agents/table.ts';
import { watchedFor } from '../agents-unreachable/agents.ts';
import { oneDocument, runCurfew, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, type Innocent } from '../scene/innocents.ts';
import { descendants, type Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { reapDocument } from '../scene/schemas.ts';
import { type RealAgentKind, realAgents } from './kinds.ts';
import { missingOf, startModel, withAgents } from './session.ts';

const kindOf = (agent: string): RealAgentKind => {
  const kind = realAgents.find((one) => one.agent === agent);
  if (kind === undefined) throw new Error(`build/agents/agents.json has no ${agent}`);
  return kind;
};

/**
 * Starts an agent and speaks JSON-RPC with it, a message after the answer to the one before; $ID is
 * the thread or session of the latest answer. Holds its ends from then on.
 */
const client = `import json, subprocess, sys, time
out = open(sys.argv[1], 'w'); known = ''
p = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out, start_new_session=True)
for number, message in enumerate(json.loads(sys.argv[2])):
    said = {'jsonrpc': '2.0', 'id': number, **message}
    p.stdin.write((json.dumps(said).replace('$ID', known) + '\\n').encode()); p.stdin.flush()
    for line in p.stdout:
        out.write(line.decode()); out.flush()
        try: got = json.loads(line)
        except ValueError: continue
        if got.get('id') == number and 'method' not in got:
            result = got.get('result') or {}
            known = (result.get('thread') or {}).get('id') or result.get('sessionId') or known
            break
out.write('READY\\n'); out.flush()
for line in p.stdout: out.write(line.decode()); out.flush()
time.sleep(99999)`;

const asked = 'SCRIPTED:idles Do your work.';

/** Without servers: what is left of them is the matter of other tests. */
const prepare = (stage: Scene, kind: RealAgentKind): Readonly<Record<string, string>> => {
  stage.folder(`${stage.home}/shop`);
  stage.write('/tmp/model/idles.json', JSON.stringify([{ text: 'Remembered.' }]));
  const { env = {}, files } = kind.open(programOf(kind), asked);
  for (const [path, text] of Object.entries(files)) {
    const plain = path.endsWith('.toml')
      ? text.replaceAll(/\[mcp_servers\.[^]*?(?=\[projects|$)/gu, '')
      : JSON.stringify({
          ...(JSON.parse(text) as object),
          ...('mcp' in JSON.parse(text) ? { mcp: {} } : { mcpServers: {} }),
        });
    stage.write(`${stage.home}/${path}`, plain);
  }
  return { ...stage.userEnvironment(), TERM: 'xterm-256color', ...env };
};

/** An agent that is idle somewhere, and what must stay when it is ended. */
interface Idling {
  readonly agent: Identity;
  readonly innocents: readonly Innocent[];
  /** What ends with it besides what hangs below it. */
  readonly besides?: readonly Identity[];
  /** The same agent in use, of which no end is offered. */
  readonly inUse?: readonly Identity[];
  /** Only its transcript tells, which counts as no older than its process: seconds to wait. */
  readonly oldAfter?: number;
  /** Resumes a session, asks it, and expects what was said before in its transcript. */
  readonly resume?: (id: string) => Promise<void>;
}

/** An agent that a client holds, and that client. */
const heldBy = async (
  stage: Scene,
  agent: string,
  words: readonly string[],
  messages: readonly object[],
  name = 'a',
) => {
  const kind = kindOf(agent);
  const env = prepare(stage, kind);
  const out = stage.write(`/tmp/said-${name}`, '');
  const held = await stage.top.begin({
    file: '/usr/bin/python3',
    argv: ['python3', '-c', client, out, JSON.stringify(messages), programOf(kind), ...words],
    env,
    cwd: `${stage.home}/shop`,
    setsid: true,
    fds: { 0: '/dev/null' },
  });
  await stage
    .until('it has answered', () => stage.read(out).includes('READY\n'))
    .catch((error: unknown) => {
      throw new Error(`${String(error)}: ${stage.read(out).slice(-3000)}`);
    });
  const row = await stage.find('the agent', ({ ppid }) => ppid === held.pid);
  return { agent: stage.identity(row.pid), client: bystander(stage, `its client ${name}`, held.pid), out };
};

const overClient =
  (agent: string, words: readonly string[], messages: readonly object[]) =>
  async (stage: Scene): Promise<Idling> => {
    const held = await heldBy(stage, agent, words, messages);
    return { agent: held.agent, innocents: [held.client] };
  };

/** Runs an agent's program to its end. */
const runAgent = async (stage: Scene, agent: string, words: readonly string[]): Promise<void> => {
  const kind = kindOf(agent);
  const out = stage.write('/tmp/said-run', '');
  const pid = await stage.top.start({
    file: '/usr/bin/env',
    argv: ['env', programOf(kind), ...words],
    env: prepare(stage, kind),
    cwd: `${stage.home}/shop`,
    setsid: true,
    fds: { 0: '/dev/null', 1: out, 2: out },
  });
  expect({ ...(await stage.top.ended(pid)), said: stage.read(out) }).toMatchObject({ code: 0 });
};

/** The one transcript in which this was said. */
const transcriptWith = (stage: Scene, said: string): string => {
  const texts = ['.claude/projects', '.codex/sessions'].flatMap((name) => {
    const folder = stage.outside(`${stage.home}/${name}`);
    if (!existsSync(folder)) return [];
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'));
    return paths.map((path) => readFileSync(`${folder}/${path}`, 'utf8'));
  });
  return texts.find((text) => text.includes(said)) ?? '';
};

/** Resumes a session by its own command, which goes on with its transcript. */
const resumedBy =
  (stage: Scene, agent: string, words: readonly string[]) =>
  async (id: string): Promise<void> => {
    stage.write('/tmp/model/again.json', JSON.stringify([{ text: 'Done.' }]));
    await runAgent(stage, agent, [...words, id, 'SCRIPTED:again Go on.']);
    expect(transcriptWith(stage, 'SCRIPTED:again')).toContain('SCRIPTED:idles');
  };

const inTurn = (thread: object, text = asked): readonly object[] => [
  { method: 'thread/start', params: { cwd: '/tmp/home/shop', ...thread } },
  { method: 'turn/start', params: { threadId: '$ID', input: [{ type: 'text', text }] } },
];
const hello = { method: 'initialize', params: { clientInfo: { name: 'c', title: 'c', version: '1' } } };

/** Three threads whose turns have ended in one server; in another one asks for an approval. */
const appServer = async (stage: Scene): Promise<Idling> => {
  stage.write('/tmp/model/asks.json', JSON.stringify([{ command: 'touch /tmp/approved' }]));
  const threads = [hello, ...[1, 2, 3].flatMap(() => inTurn({}))];
  const idle = await heldBy(stage, 'codex', ['app-server'], threads);
  const asking = [hello, ...inTurn({ approvalPolicy: 'untrusted' }, 'SCRIPTED:asks Do your work.')];
  const other = await heldBy(stage, 'codex', ['app-server'], asking, 'b');
  await stage.until('three turns have ended', () => stage.read(idle.out).split('"turn/completed"').length === 4);
  await stage.until('the other asks', () => stage.read(other.out).includes('requestApproval'));
  return {
    agent: idle.agent,
    innocents: [idle.client, other.client, bystander(stage, 'the one that asks', other.agent.pid)],
    inUse: [other.agent],
    oldAfter: 910,
    resume: resumedBy(stage, 'codex', [
      'exec',
      'resume',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
    ]),
  };
};

/** Two background sessions of one daemon, of which one has a command at work. */
const inBackground = async (stage: Scene): Promise<Idling> => {
  stage.write('/tmp/model/works.json', JSON.stringify([{ command: 'tail -f /dev/null', background: true }]));
  const begin = async (label: string): Promise<Identity> => {
    const prompt = `SCRIPTED:${label} Do your work.`;
    await runAgent(stage, 'claude-code', ['--bg', '--allowedTools', 'Bash', '--permission-mode', 'manual', prompt]);
    const transcript = await stage.until('it has a transcript', () => {
      const folder = stage.outside(`${stage.home}/.claude/projects/-tmp-home-shop`);
      if (!existsSync(folder)) return null;
      const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
      return names.find((name) => readFileSync(`${folder}/${name}`, 'utf8').includes(prompt)) ?? null;
    });
    const entries = stage.outside(`${stage.home}/.claude/sessions`);
    const entry = await stage.until('it is registered', () =>
      readdirSync(entries).find(
        (name) =>
          /^\d+\.json$/u.test(name) && readFileSync(`${entries}/${name}`, 'utf8').includes(transcript.slice(0, 36)),
      ),
    );
    return stage.identity(Number(entry.slice(0, -5)));
  };
  const worker = await begin('idles');
  const atWork = await begin('works');
  const command = await stage.find('its command', ({ argv }) => argv.join(' ') === 'tail -f /dev/null');
  const hostOf = ({ pid }: Identity): number => stage.row(pid)?.ppid ?? 0;
  return {
    agent: worker,
    besides: [stage.identity(hostOf(worker))],
    innocents: [
      bystander(stage, 'the worker at work', atWork.pid),
      bystander(stage, 'its command', command.pid),
      bystander(stage, 'the daemon', stage.row(hostOf(worker))?.ppid ?? 0),
    ],
    inUse: [atWork],
    resume: resumedBy(stage, 'claude-code', ['-p', '--allowedTools', 'Bash', '--resume']),
  };
};

/** In a pane of a multiplexer to which no terminal is attached, beside a pane of the user. */
const inPane =
  (name: 'tmux' | 'screen') =>
  async (stage: Scene): Promise<Idling> => {
    const claude = kindOf('claude-code');
    const env = { ...prepare(stage, claude), SCREENDIR: '/tmp/screen' };
    chmodSync(stage.outside(stage.folder('/tmp/screen')), 0o700);
    const { argv } = claude.open(programOf(claude), asked);
    const open =
      name === 'tmux'
        ? ['tmux', '-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '50']
        : ['screen', '-c', '/dev/null', '-dmS', 'pane'];
    const begin = async (words: readonly string[]): Promise<void> => {
      const pid = await stage.top.start({
        file: '/usr/bin/env',
        argv: ['env', ...open, ...words],
        env,
        cwd: `${stage.home}/shop`,
        setsid: true,
        fds: { 0: '/dev/null', 1: '/tmp/said', 2: '/tmp/said' },
      });
      await stage.top.ended(pid);
    };
    stage.write('/tmp/said', '');
    await begin(['sleep', '98765']);
    await begin(argv);
    const [file] = argv;
    const row = await stage.find('the agent', (one) => one.argv[0] === file && one.argv.length > 1);
    const pane = await stage.find('the pane of the user', (one) => one.argv.join(' ') === 'sleep 98765');
    return {
      agent: stage.identity(row.pid),
      innocents: [bystander(stage, 'the pane of the user', pane.pid), bystander(stage, name, pane.ppid)],
    };
  };

const session = z.looseObject({
  pid: z.number().nullable(),
  idle: z.looseObject({ state: z.string(), text: z.string(), since: z.string().nullable() }).nullable(),
  id: z.string().nullable(),
  end: z.string().nullable(),
  ownEnd: z.string().nullable(),
  resume: z.string().nullable(),
});

/** As if it had been used two days ago: what it wrote, its terminal, and what looks remember. */
const setBack = `import glob, json, os, sys, time
pid, home = sys.argv[1:]; at = time.time() - 172800
def moved():
    with open(f'/proc/{pid}/io') as file: return sum(int(line.split()[1]) for line in file if 'char' in line)
before = moved(); time.sleep(3)
while moved() - before > 512: before = moved(); time.sleep(3)
if os.isatty(os.open(f'/proc/{pid}/fd/0', os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)) if os.readlink(f'/proc/{pid}/fd/0').startswith('/dev/pts') else False:
    os.utime(f'/proc/{pid}/fd/0', (at, at))
path = f'{home}/.claude/sessions/{pid}.json'
if os.path.exists(path):
    entry = json.load(open(path)); entry['statusUpdatedAt'] = int(at * 1000); json.dump(entry, open(path, 'w'))
for path in glob.glob(f'{home}/.claude/projects/*/*.jsonl') + glob.glob(f'{home}/.codex/sessions/**/*.jsonl', recursive=True): os.utime(path, (at, at))`;

const run = async (stage: Scene, script: string, ...args: readonly string[]): Promise<void> => {
  const pid = await stage.top.start({
    file: '/usr/bin/python3',
    argv: ['python3', '-c', script, ...args],
    env: stage.userEnvironment(),
    cwd: stage.home,
    fds: { 1: '/tmp/set-back', 2: '/tmp/set-back' },
  });
  expect(await stage.top.ended(pid)).toMatchObject({ code: 0 });
};

/** Its processes have done nothing for some time. */
const rests = async (stage: Scene, { pid }: Identity): Promise<void> => {
  let [latest, same] = ['', 0];
  await stage.until('it rests', () => {
    const shape = [pid, ...descendants(stage.table(), pid).map((row) => row.pid)]
      .map((one) => `${one} ${stage.row(one)?.state ?? ''}`)
      .join();
    same = shape === latest ? same + 1 : 0;
    latest = shape;
    return same > 60;
  });
};

const acp = [
  { method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
  { method: 'session/new', params: { cwd: '/tmp/home/shop', mcpServers: [] } },
  { method: 'session/prompt', params: { sessionId: '$ID', prompt: [{ type: 'text', text: asked }] } },
] as const;

const places: readonly (readonly [string, string, (stage: Scene) => Promise<Idling>])[] = [
  ['Claude Code in a pane of tmux', 'claude-code', inPane('tmux')],
  ['Claude Code in a window of screen', 'claude-code', inPane('screen')],
  ['opencode by ACP', 'opencode', overClient('opencode', ['acp'], acp)],
  ['Gemini CLI by ACP', 'gemini', overClient('gemini', ['--acp'], acp)],
  ['A background session of Claude Code (--bg)', 'claude-code', inBackground],
  ['An app server of Codex with three threads', 'codex', appServer],
];

/** Each waits up to two minutes until a real agent rests, that of Codex 17: see skips.ts. */
const isAsked = process.env['CURFEW_TEST_IDLE'] === '1';

describe.skipIf(!isAsked)('a real agent that no user wants any more', () => {
  test.for(places)(
    '%s: is listed with the time and the way back, and is ended whole by its user, and nothing else',
    { timeout: 30 * 60_000 },
    async ([, name, start]) => {
      expect(missingOf(kindOf(name))).toBeNull();
      await scene(
        async (stage) => {
          await startModel(stage);
          const { agent, innocents, besides = [], inUse = [], oldAfter = 0, resume } = await start(stage);
          await stage.until(
            'its model has answered',
            () => stage.has('/tmp/model/asked') && stage.read('/tmp/model/asked').includes('idles'),
          );
          await rests(stage, agent);
          await sleep(oldAfter * 1000);
          await run(stage, setBack, String(agent.pid), stage.home);
          const sessions = z.object({ sessions: z.array(session) });
          const look = async () => {
            await scan(stage);
            await watchedFor(stage, 90_000, 'quiet');
            await run(stage, setBack, String(agent.pid), stage.home);
            const { sessions: all } = sessions.parse(oneDocument(await runCurfew(stage, ['sessions', '--json'])));
            return all.filter(({ pid }) => pid === agent.pid);
          };
          let listed = await look();
          // What it writes once after its start is no sign that it is used.
          for (let again = 0; again < 8 && listed[0]?.idle?.state !== 'idle'; again++) listed = await look();
          expect(listed[0]?.idle).toMatchObject({ state: 'idle' });
          expect(listed[0]?.end ?? listed[0]?.ownEnd).toMatch(/^[0-9a-f]{8}$/u);
          for (const { pid } of inUse) {
            const refused = await runCurfew(stage, ['reap', '--agent-pid', String(pid)]);
            expect(refused).toMatchObject({ code: 1 });
            expect(refused.stderr).toContain('in use');
          }
          const whole = [
            agent,
            ...besides,
            ...descendants(stage.table(), agent.pid).map(({ pid }) => stage.identity(pid)),
          ];
          const end = async () => runCurfew(stage, ['reap', '--json', '--agent-pid', String(agent.pid)]);
          let done = await end();
          // It may write something in the very moment: it is in use then, and is left alone.
          for (let again = 0; again < 8 && done.code !== 0; again++) {
            await look();
            done = await end();
          }
          expect(reapDocument.parse(oneDocument(done)).incidents).toMatchObject([
            { decidedBy: 'command', outcome: 'reaped' },
          ]);
          await stage.until('all of it has ended', () => whole.every((part) => !stage.lives(part)));
          expectGone(stage, whole);
          expectUntouched(stage, innocents);
          await resume?.(listed[0]?.id ?? '');
          expectUntouched(stage, innocents);
        },
        { ...withAgents, upForSeconds: 90_060 },
      )();
    },
  );
});
