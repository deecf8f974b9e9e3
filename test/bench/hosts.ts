import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { asBootId } from '../../app/process/identity.ts';
import { defaultSettings } from '../../app/settings/defaults.ts';
import { SshConnection } from '../../main/remote/connection.ts';
import { RemoteHost } from '../../main/remote/host.ts';
import type { Bench, Figure } from './bench.ts';
import { gather } from './crowd.ts';
import { compare, type Comparison } from './measure.ts';
import { openSshd, sshd } from './sshd.ts';

const run = promisify(execFile);
const machines = [1, 10, 50] as const;
/** Processes on the machine that plays all hosts. */
const processes = 100;
/**
 * Machines scanned at a time: this one does both sides' work, while the watch spreads its scans
 * over half a minute.
 */
const atATime = 8;

const inTurns = async (count: number, work: (at: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
};

const columns = 'pid,ppid,pgid,sid,stat,etimes,time,rss,uid,args';

const host = (name: string, folder: string): { readonly remote: RemoteHost; readonly connection: SshConnection } => {
  const connection = new SshConnection(name, { folder, name });
  const ledger = { load: () => [], save: () => undefined, witnesses: () => [], saveWitnesses: () => undefined };
  const remote = new RemoteHost({
    connection,
    ledger,
    settings: () => defaultSettings,
    ownBoot: asBootId('another'),
  });
  return { remote, connection };
};

const measureAt = async (count: number, folder: string): Promise<Comparison> => {
  const opened = Array.from({ length: count }, (_, at) => host(`m${count}x${at}`, folder));
  const shared = (name: string): readonly string[] =>
    ['ControlMaster=auto', `ControlPath=${folder}/ps-${name}`, 'ControlPersist=60'].flatMap((option) => ['-o', option]);
  try {
    return await compare(
      () => inTurns(count, async (at) => opened[at]?.remote.look()),
      () =>
        inTurns(count, async (at) => {
          const name = opened[at]?.remote.host ?? '';
          await run('ssh', [...shared(name), '-T', name, `ps -eo ${columns}`], { maxBuffer: 2 ** 28 });
        }),
      5,
    );
  } finally {
    await Promise.all(opened.map(({ connection }) => connection.close()));
    for (const { remote } of opened)
      await run('ssh', ['-O', 'exit', ...shared(remote.host), remote.host]).catch(() => null);
  }
};

/**
 * Measures a scan of many machines at once, connections open, beside a `ps` over the same ssh. All
 * of them are this machine, which does both sides' work.
 */
export const hostsBench: Bench = {
  name: 'hosts',
  async run(progress) {
    const lacking = [sshd, '/usr/bin/ssh', '/usr/bin/ssh-keygen'].filter((file) => !existsSync(file));
    if (lacking.length > 0) {
      progress(`other machines are NOT measured: there is no ${lacking.join(', ')} here`);
      return { figures: [], plots: [] };
    }
    progress(`starting ${processes} processes and an sshd`);
    const crowd = await gather(processes);
    const { folder, close } = await openSshd(null);
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}/path:${path ?? ''}`;
    try {
      const figures: Figure[] = [];
      for (const count of machines) {
        progress(`looking at ${count} machines`);
        const { ours, theirs, ratio } = await measureAt(count, folder);
        const what = `a scan of all of this many machines with ${processes} processes each`;
        figures.push({
          what,
          comparedWith: 'ssh HOST ps -eo …',
          at: count,
          unit: 'ms',
          ours,
          theirs,
          ratio,
          bar: null,
        });
        await wait(500);
      }
      return { figures, plots: [] };
    } finally {
      if (path !== undefined) process.env['PATH'] = path;
      close();
      await crowd.disperse();
    }
  },
};
