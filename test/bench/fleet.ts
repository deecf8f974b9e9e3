import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bench, Figure } from './bench.ts';
import { openSshd, sshd } from './sshd.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
/** The default of `curfew scan --parallel`, for what is compared with it. */
const atATime = 16;
/** As Curfew's own: without them ssh waits for a silent machine for ever. */
const options = '-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=2';
const columns = 'pid,ppid,pgid,sid,stat,etimes,time,rss,uid,args';

/** What a command took. */
interface Cost {
  readonly seconds: number;
  /** Of the command's own process. */
  readonly peakMb: number;
  /** Of all processes of ssh here, shared pages divided between them. */
  readonly sshPeakMb: number;
  readonly connections: number;
  readonly said: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended meanwhile.
    return '';
  }
};

const kilobytes = (file: string, name: string): number =>
  Number(new RegExp(String.raw`^${name}:\s*(\d+) kB`, 'mu').exec(file)?.[1] ?? 0);

/** Established connections to a port, by the side that took them. proc_pid_net(5) */
const connectionsTo = (port: number): number => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return read('/proc/net/tcp')
    .split('\n')
    .filter((line) => {
      const [, from = '', , state] = line.trim().split(/\s+/u);
      return state === '01' && from.endsWith(local);
    }).length;
};

const sshKilobytes = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && read(`/proc/${name}/comm`).trim() === 'ssh')
    .reduce((sum, name) => sum + kilobytes(read(`/proc/${name}/smaps_rollup`), 'Pss'), 0);

const measured = async (command: readonly [string, ...string[]], port: number): Promise<Cost> => {
  const beganMs = performance.now();
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let peakKb = 0;
  let sshKb = 0;
  let connections = 0;
  const sampling = setInterval(() => {
    peakKb = Math.max(peakKb, kilobytes(read(`/proc/${child.pid}/status`), 'VmHWM'));
    connections = Math.max(connections, connectionsTo(port));
  }, 25);
  const adding = setInterval(() => {
    sshKb = Math.max(sshKb, sshKilobytes());
  }, 250);
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(sampling);
  clearInterval(adding);
  const seconds = (performance.now() - beganMs) / 1000;
  return { seconds, peakMb: peakKb / 1000, sshPeakMb: sshKb / 1000, connections, said };
};

/** Of 200, 30 that fail or are slow, in each way; ssh's configuration has them by their names. */
const troubled = ['slow', 'silent', 'closed', 'changed', 'asks'].flatMap((kind) =>
  Array.from({ length: 6 }, (_, at) => `${kind}${at}`),
);
const named = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `f${count}x${at}`);

/**
 * Measures `curfew scan --hosts-from` as a whole command: new connections, nothing known before,
 * beside a `ps` over as many new connections, as many at a time.
 * @param folder takes the list of machines
 * @param port on which all machines are
 */
const fleetFigures = async (
  folder: string,
  port: number,
  progress: (text: string) => void,
): Promise<readonly Figure[]> => {
  const list = join(folder, 'list');
  const scan = [process.execPath, commandLine, 'scan', '--json', '--hosts-from', list] as const;
  const ps = [
    'sh',
    '-c',
    `xargs -P ${atATime} -I @ ssh ${options} -T @ 'ps -eo ${columns}' <${list} 2>/dev/null`,
  ] as const;
  const figures: Figure[] = [];
  for (const { hosts, what } of [
    ...[1, 20, 200].map((count) => ({ hosts: named(count), what: 'a first scan of this many machines' })),
    { hosts: [...named(170), ...troubled], what: 'the same, 30 of them slow, silent, closed, changed or locked' },
  ]) {
    progress(`${what}: ${hosts.length}`);
    writeFileSync(list, `${hosts.join('\n')}\n`);
    const theirs = await measured(ps, port);
    const ours = await measured(scan, port);
    const documents = ours.said.trim().split('\n').length;
    if (documents !== hosts.length) throw new Error(`${documents} documents of ${hosts.length} machines`);
    const comparedWith = 'ssh HOST ps -eo …';
    const figure = (of: string, unit: Figure['unit'], mine: number, its: number): void => {
      const ratio = mine / its;
      figures.push({
        what: `${what}: ${of}`,
        comparedWith,
        at: hosts.length,
        unit,
        ours: mine,
        theirs: its,
        ratio,
        bar: null,
      });
    };
    figure('time', 's', ours.seconds, theirs.seconds);
    figure('peak memory of curfew (of xargs)', 'MB', ours.peakMb, theirs.peakMb);
    figure('peak memory of all ssh', 'MB', ours.sshPeakMb, theirs.sshPeakMb);
    figure('peak connections', 'connections', ours.connections, theirs.connections);
  }
  return figures;
};

/** Processes on the machine that plays all machines. */
const processes = 100;

/**
 * Measures a scan of a fleet, of 1, 20 and 200 machines, and of 200 with some in trouble. All of
 * them are one sshd on this machine, which does both sides' work.
 */
export const fleetBench: Bench = {
  name: 'fleet',
  async run(progress) {
    const lacking = [commandLine, sshd, '/usr/bin/ssh', '/usr/bin/busybox'].filter((file) => !existsSync(file));
    if (lacking.length > 0) throw new Error(`there is no ${lacking.join(', ')} here`);
    const { folder, port, close } = await openSshd(processes);
    const path = process.env['PATH'] ?? '';
    process.env['PATH'] = `${folder}/path:${path}`;
    try {
      return { figures: await fleetFigures(folder, port, progress), plots: [] };
    } finally {
      process.env['PATH'] = path;
      close();
    }
  },
};
