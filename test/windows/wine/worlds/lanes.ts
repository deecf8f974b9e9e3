import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyPrefix, linkPrograms, windowsKit as kit, wineEnvironment } from '../../../../build/scripts/wine.ts';
import { inOwnNetwork, onWindows } from '../play.ts';
import type { Lane, PlayedWorld, SeededPlan } from './plan.ts';
import { standIn } from './stand-in.ts';

/** Names under which the stand-in is there. */
const programs = [
  'bash',
  'cargo',
  'claude',
  'cmd',
  'Code',
  'codex',
  'copilot',
  'explorer',
  'gemini',
  'mine',
  'node',
  'nssm',
  'opencode',
  'pwsh',
  'python',
  'tail',
  'wezterm-gui',
  'WindowsTerminal',
  'wsl',
  'wslhost',
];

/** A world takes so long at most, milliseconds. */
const patienceMs = 240_000;
const everyMs = 1_000;

const readResults = (folder: string): readonly PlayedWorld[] => {
  const file = join(folder, 'results.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((text) => text !== '').map((text) => JSON.parse(text) as PlayedWorld);
};

/** Waits for its end, and kills it where a world takes too long; true: it ended by itself. */
const endOf = async (child: ChildProcess, folder: string): Promise<boolean> => {
  let count = 0;
  for (let waited = 0; child.exitCode === null && child.signalCode === null; waited += everyMs) {
    if (waited > patienceMs) child.kill('SIGKILL');
    await sleep(everyMs);
    const played = readResults(folder).length;
    if (played > count) waited = 0;
    count = played;
  }
  return child.exitCode === 0;
};

/** Plays worlds on a Windows of their own; one that does not come to its end is the last. */
const playSome = async (worlds: readonly SeededPlan[], until: number): Promise<readonly PlayedWorld[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-wine-worlds-'));
  const env = wineEnvironment(join(folder, 'prefix'), folder);
  try {
    copyPrefix(kit.prefix, join(folder, 'prefix'));
    mkdirSync(join(folder, 'bin'));
    // No links: Wine may name a program by another link to the same file.
    for (const name of programs) writeFileSync(join(folder, 'bin', `${name}.exe`), standIn());
    linkPrograms(kit.node, folder, ['lane']);
    const lane: Lane = {
      worlds,
      until,
      programs: onWindows(join(folder, 'bin')),
      curfew: onWindows(kit.curfew),
      folder: onWindows(folder),
    };
    writeFileSync(join(folder, 'lane.json'), JSON.stringify(lane));
    const program = onWindows(join(import.meta.dirname, '../programs/play-lane.ts'));
    // Node under Wine takes no pipes as its standard streams.
    const line = `wine lane.exe '${program}' '${onWindows(join(folder, 'lane.json'))}' </dev/null >out.txt 2>err.txt`;
    const child = spawn('unshare', inOwnNetwork(line), { cwd: folder, env, stdio: 'ignore' });
    const isWhole = await endOf(child, folder);
    const played = readResults(folder);
    const next = worlds[played.length];
    if (isWhole || next === undefined) return played;
    const said = ['out.txt', 'err.txt'].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    return [...played, { ...unset, seed: next.seed, notSet: `it did not come to its end: ${said}` }];
  } finally {
    await new Promise((done) => void spawn('wineserver', ['-k'], { env, stdio: 'ignore' }).on('exit', done));
    rmSync(folder, { recursive: true, force: true });
  }
};

const unset = { wrong: [], due: 0, mustLive: 0, terminations: 0, recycled: 0, tookMs: patienceMs };

/**
 * Plays worlds, one after the other, until they are through or the time is up. Only inside a pid
 * namespace.
 */
export const playLane = async (worlds: readonly SeededPlan[], until: number): Promise<readonly PlayedWorld[]> => {
  if (process.env['CURFEW_TEST_NAMESPACE'] === undefined) throw new Error('use npm run test:windows');
  const played: PlayedWorld[] = [];
  while (played.length < worlds.length && Date.now() < until)
    played.push(...(await playSome(worlds.slice(played.length), until)));
  return played;
};
