import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { statusLineScript, writeStatusLineScript } from '../../main/agents/status-line/script.ts';
import { StatusLineFile } from '../../main/publishing/status-line-file.ts';
import type { Bench, Figure } from './bench.ts';
import { compare, median } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const rounds = 25;
/** The bar for the first answer; a bare start of Node is 1. */
const bar = 1.6;

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});
const list = line({ method: 'notifications/initialized' }) + line({ id: 2, method: 'tools/list', params: {} });

const start = (root: string): ChildProcess =>
  spawn(process.execPath, [commandLine, 'mcp'], {
    env: { PATH: process.env['PATH'], HOME: root, CURFEW_HOME: root },
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Waits for the answer with this id. */
const answered = async ({ stdout }: ChildProcess, id: number): Promise<void> => {
  let said = '';
  for await (const part of stdout ?? []) {
    said += String(part);
    if (said.includes(`"id":${id}}`)) return;
  }
  throw new Error(`there was no answer ${id} in ${said}`);
};

const rssKilobytes = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(?<rss>\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.groups?.['rss'] ?? Number.NaN);

/**
 * Times a server until it gives this answer, and a bare Node until it ends, in turns. The end of a
 * server, which still loads what it needs later, is waited for and not counted.
 */
const untilAnswer = async (
  root: string,
  input: string,
  id: number,
): Promise<Pick<Figure, 'ours' | 'theirs' | 'ratio'>> => {
  const [mine, others]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const began = performance.now();
    const server = start(root);
    const ended = once(server, 'exit');
    server.stdin?.write(input);
    await answered(server, id);
    const took = performance.now() - began;
    server.stdin?.end();
    await ended;
    const bareBegan = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    // The first turn fills caches.
    if (round === 0) continue;
    mine.push(took);
    others.push(performance.now() - bareBegan);
  }
  const ratios = mine.map((one, at) => one / (others[at] ?? Number.NaN));
  return { ours: median(mine), theirs: median(others), ratio: median(ratios) };
};

/** Resident memory of a server that was asked for its tools a minute ago, and of a waiting Node. */
const resident = async (root: string): Promise<Figure> => {
  const server = start(root);
  const bare = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  server.stdin?.write(initialize + list);
  await answered(server, 2);
  await sleep(61_000);
  const [ours, theirs] = [rssKilobytes(server.pid) / 1000, rssKilobytes(bare.pid) / 1000];
  for (const child of [server, bare]) {
    child.stdin?.end();
    await once(child, 'exit');
  }
  const what = 'mcp: resident memory, a minute after its tools were listed';
  return { what, comparedWith: 'a waiting node', at: 1, unit: 'MB', ours, theirs, ratio: ours / theirs, bar: null };
};

/**
 * Measures what an agent waits for when it starts the MCP server, what stays of it, and the status
 * line.
 */
export const mcpBench: Bench = {
  name: 'mcp',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const root = mkdtempSync(join(tmpdir(), 'curfew-bench-mcp-'));
    try {
      const figures: Figure[] = [];
      for (const [what, input, id] of [
        ['mcp: the first answer', initialize, 1],
        ['mcp: its tools are listed', initialize + list, 2],
      ] as const) {
        progress(what);
        const figure = await untilAnswer(root, input, id);
        figures.push({ what, comparedWith: 'node -e 0', at: 1, unit: 'ms', ...figure, bar: id === 1 ? bar : null });
      }
      progress('statusline');
      const file = join(root, 'status-line');
      new StatusLineFile(file).note('2 jobs, 1 left over, 1.1 GB', Date.now(), 5);
      writeStatusLineScript(root, file, { command: [process.execPath, commandLine], environment: {} });
      const script = statusLineScript(root);
      const say = (): unknown => spawnSync('/bin/sh', [script], { stdio: 'ignore' });
      const nothing = (): unknown => spawnSync('/bin/sh', ['-c', 'date +%s'], { stdio: 'ignore' });
      const { ours, theirs, ratio } = await compare(say, nothing, rounds);
      const what = 'statusline: the script in an agent’s settings';
      figures.push({ what, comparedWith: 'sh -c date', at: 1, unit: 'ms', ours, theirs, ratio, bar: null });
      if (existsSync('/proc/self/status')) {
        progress('resident memory');
        figures.push(await resident(root));
      }
      return { figures, plots: [] };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
