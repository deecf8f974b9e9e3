/**
 * `npm run test:shapes`: lets real agents make tool calls of each shape beside `curfew watch`,
 * kills them, and counts what Curfew then says of what is left: `calls-run.ts RESULT [RUNS [ROWS
 * [CALLS]]]`. ROWS and CALLS are patterns for "AGENT, WAY" and for the names of calls. What was
 * measured of these before is replaced.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descentsSchema, type Descents, type Descent, type Way, ways } from './descents.ts';
import { type CallName, callNames, callWith } from './calls.ts';
import { oneDocument, runCurfew, startCurfew } from '../scene/curfew.ts';
import { scanDocument } from '../scene/schemas.ts';
import type { Row } from '../scene/processes.ts';
import { Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { type RealAgentKind, realAgents } from './kinds.ts';
import { missingOf, startModel, startSession, withAgents } from './session.ts';

const [file = '', runs = '5', pattern = '.', wanted = '.'] = process.argv.slice(2);
const names = callNames.filter((name) => new RegExp(wanted, 'u').test(name));
/** The numbers by which what is left is known. */
const firstNumber = 9001;

/** Takes the servers out of an agent's settings: they start nothing here. */
const withoutServers = (path: string, text: string): string => {
  if (path.endsWith('.toml')) return text.slice(0, text.indexOf('[mcp_servers'));
  return path.includes('mcp.json')
    ? '{"mcpServers":{}}'
    : text.replace(/,\s*"(?:mcp|mcpServers)": \{[^]*?\n {2}\}/u, '');
};

/** The kernel's group is what `curfew hooks install claude --witness` asks Claude Code for. */
const groupLimit = { CLAUDE_CODE_TOOL_MEMORY_LIMIT: '8G' };

const alone = (kind: RealAgentKind, way: Way): RealAgentKind => ({
  ...kind,
  serverProcesses: 0,
  start: (program, prompt) => {
    const { argv, env = {}, files } = kind.start(program, prompt);
    const changed = Object.entries(files).map(([path, text]) => [path, withoutServers(path, text)] as const);
    return {
      argv,
      env: { ...env, ...(way === "the kernel's group" ? groupLimit : {}) },
      files: Object.fromEntries(changed),
    };
  },
});

/** Gives the steps of the model one by one, up to four seconds apart, as a model does. */
const paced = async (stage: Scene, label: string, count: number): Promise<void> => {
  const asked = (): number =>
    stage.has('/tmp/model/asked') ? stage.read('/tmp/model/asked').split('\n').length - 1 : 0;
  for (let step = 0; step < count; step++) {
    await stage.until(`${label} asks for step ${step}`, () => asked() > step, 240);
    await sleep(500 + Math.random() * 3500);
    stage.write(`/tmp/model/${label}.${step}`, '');
  }
};

/** Processor time of a process so far, milliseconds; ticks are hundredths of a second. */
const processorMs = (stage: Scene, pid: number): number => {
  const stat = stage.read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

interface PlayedSession {
  readonly said: readonly Descent[];
  readonly watchPercent: number;
}

/** Plays one session with a call of each shape. */
const playedOnce = async (kind: RealAgentKind, way: Way): Promise<PlayedSession> => {
  const stage = await Scene.open(withAgents);
  try {
    writeSettings(stage, { scanIntervalSeconds: 5, mode: 'observe' });
    stage.write(`${stage.home}/shop/package.json`, JSON.stringify({ scripts: { nap: 'tail -f /dev/null -n' } }));
    stage.write(`${stage.home}/.npmrc`, 'update-notifier=false\n');
    await startModel(stage);
    const watch = await startCurfew(stage, ['watch', '--json']);
    await afterLooks(stage, watch, 1);
    const order = names.toSorted(() => Math.random() - 0.5);
    const numbers = new Map(callNames.map((name, index) => [name, firstNumber + index]));
    const steps = order.map((name, index) => {
      const { command, background } = callWith(name, numbers.get(name) ?? 0);
      return { command, ...(background === undefined ? {} : { background }), after: `calls.${index}` };
    });
    const begun = { atMs: performance.now(), usedMs: processorMs(stage, watch.identity.pid) };
    const [session] = await Promise.all([
      startSession(stage, alone(kind, way), 'calls', steps),
      paced(stage, 'calls', steps.length),
    ]);
    const usedMs = processorMs(stage, watch.identity.pid) - begun.usedMs;
    const watchPercent = Math.round((usedMs * 1000) / (performance.now() - begun.atMs)) / 10;
    const leftBy = (name: CallName): Row | undefined => {
      const number = String(numbers.get(name));
      return stage.table().find(({ argv }) => argv[0] === 'tail' && argv.includes(number));
    };
    // npm takes its time; what has not begun by then has left nothing.
    for (let tries = 0; tries < 100 && !names.every(leftBy); tries++) await sleep(100);
    const left = new Map(names.map((name) => [name, leftBy(name)]));
    for (const { pid } of session.agents) await stage.first.signal(pid, 'KILL');
    await stage.until('the agent has ended', () => session.agents.every((one) => !stage.lives(one)));
    await afterLooks(stage, watch, 2);
    const { jobs } = scanDocument.parse(oneDocument(await runCurfew(stage, ['scan', '--json', '--all'])));
    await watch.signal('INT');
    await watch.ended();
    const said = names.map((name): Descent => {
      const row = left.get(name);
      if (row === undefined || !stage.lives(row)) return 'nothing left';
      const job = jobs.find(({ members }) => members.some(({ pid }) => pid === row.pid));
      if (job === undefined) return 'missed';
      if (job.proof !== 'claimed') return job.verdict.state === 'orphaned' ? job.proof : 'missed';
      return job.verdict.state === 'probable' ? 'probable' : 'doubted';
    });
    return { said, watchPercent };
  } finally {
    await stage.close();
  }
};

type RowName = Pick<Descents[number], 'agent' | 'way'>;
const isOf = (one: RowName, other: RowName): boolean => one.agent === other.agent && one.way === other.way;
const read = (): Descents => (existsSync(file) ? descentsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : []);

for (const kind of realAgents) {
  if (missingOf(kind) !== null) continue;
  for (const way of ways) {
    const name = `${kind.name}, ${way}`;
    if (!new RegExp(pattern, 'u').test(name) || (way !== 'looks' && kind.agent !== 'claude-code')) continue;
    const played: PlayedSession[] = [];
    for (let run = 0; run < Number(runs); run++) {
      try {
        const begunMs = performance.now();
        const one = await playedOnce(kind, way);
        played.push(one);
        console.log(
          `${name}, run ${run + 1} (${Math.round((performance.now() - begunMs) / 1000)} s): ${one.watchPercent} %, ${one.said.join(', ')}`,
        );
      } catch (error) {
        process.exitCode = 1;
        console.log(`${name}, run ${run + 1}: NOT PLAYED: ${String(error).slice(0, 3000)}`);
      }
    }
    const before = read().find((one) => isOf(one, { agent: kind.name, way }));
    const calls = Object.fromEntries(
      names.map((call, index) => [call, played.map(({ said }) => said[index] ?? 'missed')]),
    );
    const watchPercent = played.map((one) => one.watchPercent);
    const row = {
      watchPercent,
      agent: kind.name,
      way,
      at: new Date().toISOString().slice(0, 10),
      calls: { ...before?.calls, ...calls },
    };
    const all = before === undefined ? [...read(), row] : read().map((one) => (isOf(one, row) ? row : one));
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  }
}
