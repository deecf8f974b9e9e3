import type { Redact } from '../../../app/history/redaction.ts';
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import { History } from '../../../main/store/history/history.ts';
import { historyPlace } from '../../../main/store/history/history-design.ts';
import { HistoryJournal } from '../../../main/store/history/journal.ts';
import type { DatabasePlace } from '../../../main/store/database/database-design.ts';
import type { StoreNotice } from '../../../main/store/database/store-failure.ts';
import { safe } from '../../unit/safe-text.ts';

/** A folder that is removed with the test. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-store-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

const run = (command: string, ...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
};

/** A file system in memory, in the mount namespace of the tests. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  readonly fill: () => void;
  readonly makeRoom: () => void;
  readonly makeReadOnly: () => void;
  readonly makeWritable: () => void;
}

/** Mounts a disk of this many bytes that is removed with the test. */
export const smallDisk = (bytes: number): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'curfew-test', folder);
  onTestFinished(() => {
    run('umount', '--lazy', folder);
    rmSync(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
        try {
          writeFileSync(filler, 'x'.repeat(size), { flag: 'a' });
        } catch {
          // Until nothing fits any more.
        }
      }
    },
    makeRoom: () => {
      rmSync(filler, { force: true });
    },
    makeReadOnly: () => {
      run('mount', '-o', 'remount,bind,ro', folder);
    },
    makeWritable: () => {
      run('mount', '-o', 'remount,bind,rw', folder);
    },
  };
};

/** A record in a folder: to write, to read, and its messages. */
export interface Record {
  readonly path: string;
  readonly place: DatabasePlace;
  readonly journal: HistoryJournal;
  readonly history: History;
  readonly notices: readonly StoreNotice[];
  readonly all: () => readonly Incident[];
}

/** The record in a folder; closed with the test. */
export const recordIn = (folder: string, redact: Redact = safe): Record => {
  const notices: StoreNotice[] = [];
  const path = join(folder, 'history.db');
  const place = historyPlace(path, Date.now, (notice) => notices.push(notice));
  const journal = new HistoryJournal(place, redact);
  const history = new History(place);
  onTestFinished(() => {
    journal.close();
  });
  return { path, place, journal, history, notices, all: () => [...history.query({})] };
};

/** All file contents of a folder, as bytes in one text. */
export const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

/** A running program of ./programs. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Its lines so far. */
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** The next line that satisfies a condition, including earlier ones. */
  readonly line: (wanted?: (line: string) => boolean) => Promise<string>;
  /** Exit status, or the signal that ended it. */
  readonly end: Promise<number | string>;
}

/** Starts a program of ./programs; it is killed with the test. */
export const start = (program: string, ...args: readonly string[]): Running => {
  const path = join(import.meta.dirname, 'programs', `${program}.ts`);
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += String(data)));
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const end = once(child, 'close').then(([code, signal]: readonly unknown[]) =>
    typeof code === 'number' ? code : String(signal),
  );
  return {
    child,
    lines,
    errors: () => errors,
    line: async (wanted = () => true) => {
      for (;;) {
        const found = lines.find(wanted);
        if (found !== undefined) return found;
        await Promise.race([once(reader, 'line'), end]);
        if (child.exitCode !== null || child.signalCode !== null) {
          await end;
          const last = lines.find(wanted);
          if (last !== undefined) return last;
          throw new Error(`${program} ended with ${String(await end)}: ${errors}`);
        }
      }
    },
    end,
  };
};
