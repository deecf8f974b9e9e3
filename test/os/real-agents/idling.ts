import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { programOf } from '../../../build/agents/table.ts';
import { bystander, type Innocent } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { type RealAgentKind, realAgents } from './kinds.ts';

/** Returns a pinned agent by its name. */
export const kindOf = (agent: string): RealAgentKind => {
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
export interface Idling {
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

/** A teammate in a pane beside its lead, which stays. */
const inTeam = async (stage: Scene): Promise<Idling> => {
  const claude = kindOf('claude-code');
  const env = { ...prepare(stage, claude), CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' };
  const hires = (name: string, prompt: string) => ({
    tool: 'Agent',
    input: { description: 'work', subagent_type: 'general-purpose', name, prompt },
  });
  const works = 'SCRIPTED:works Do your work.';
  stage.write(
    '/tmp/model/leads.json',
    JSON.stringify([hires('mate', asked), hires('worker', works), { text: 'Led.' }]),
  );
  // In the middle of a turn, without a command.
  stage.write('/tmp/model/works.json', JSON.stringify([{ text: 'Never.', after: 'never' }]));
  stage.write('/tmp/said', '');
  const { argv } = claude.open(programOf(claude), 'SCRIPTED:leads Do your work.');
  const pid = await stage.top.start({
    file: '/usr/bin/env',
    argv: ['env', 'tmux', '-f', '/dev/null', 'new-session', '-d', '-x', '160', ...argv, '--teammate-mode', 'tmux'],
    env,
    cwd: `${stage.home}/shop`,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/tmp/said', 2: '/tmp/said' },
  });
  await stage.top.ended(pid);
  const named = async (name: string) =>
    stage.find(name, ({ argv: words }) => words[1] === '--agent-id' && words[2]?.startsWith(`${name}@`) === true);
  const [mate, worker] = [await named('mate'), await named('worker')];
  await stage.until('both are asked', () => /idles[^]*works|works[^]*idles/u.test(stage.read('/tmp/model/asked')));
  const lead = await stage.find('the lead', (one) => one.ppid === mate.ppid && one.argv.includes('--teammate-mode'));
  return {
    agent: stage.identity(mate.pid),
    innocents: [
      bystander(stage, 'the lead', lead.pid),
      bystander(stage, 'the one at work', worker.pid),
      bystander(stage, 'tmux', lead.ppid),
    ],
    inUse: [stage.identity(lead.pid), stage.identity(worker.pid)],
  };
};

const acp = [
  { method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
  { method: 'session/new', params: { cwd: '/tmp/home/shop', mcpServers: [] } },
  { method: 'session/prompt', params: { sessionId: '$ID', prompt: [{ type: 'text', text: asked }] } },
] as const;

/** Where real agents idle: the name of the place, the agent, and how it comes there. */
export const places: readonly (readonly [string, string, (stage: Scene) => Promise<Idling>])[] = [
  ['Claude Code in a pane of tmux', 'claude-code', inPane('tmux')],
  ['Claude Code in a window of screen', 'claude-code', inPane('screen')],
  ['opencode by ACP', 'opencode', overClient('opencode', ['acp'], acp)],
  ['Gemini CLI by ACP', 'gemini', overClient('gemini', ['--acp'], acp)],
  ['A background session of Claude Code (--bg)', 'claude-code', inBackground],
  ['A teammate of Claude Code in a pane of tmux', 'claude-code', inTeam],
  ['An app server of Codex with three threads', 'codex', appServer],
];
