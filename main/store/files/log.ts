import { join } from 'node:path';
import { messageOf } from '../../../app/format/error-message.ts';
import { logLine, type LogFields, type LogLevel } from './log-entry.ts';
import { RotatingFile, type RotationLimits } from './rotating-file.ts';

/** The log of Curfew's own work, for tracing problems. Nothing here throws. */
export interface Log {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  readonly close: () => void;
}

export interface LogOptions {
  /** Folder of the log files; made with the first entry. */
  readonly folder: string;
  /** Applied to every text. */
  readonly redact: (text: string) => string;
  /** Called once with a sentence when entries have to be dropped. */
  readonly warn: (text: string) => void;
  /** The minimum level that is written; `info` by default. */
  readonly level?: LogLevel;
  /** 5 files of 2 MB by default. */
  readonly limits?: RotationLimits;
  /** Wall clock, milliseconds. */
  readonly now?: () => number;
}

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export const logPath = (folder: string): string => join(folder, 'curfew.log');

/**
 * Opens the log: lines of JSON (`time`, `level`, `pid`, `message`, and the entry's fields), each
 * written before the call returns. What can't be written, as on a full disk, is dropped; `warn` is
 * called once, and the log itself counts the dropped entries when it works again.
 * Not pino (10.4): it bundles cleanly, but costs 5.5 MB of the 64 MB of a supervisor, and would
 * replace only `logLine`.
 */
export const openLog = (options: LogOptions): Log => {
  const {
    folder,
    redact,
    warn,
    level: minLevel = 'info',
    limits = { bytes: 2_000_000, files: 5 },
    now = Date.now,
  } = options;
  const path = logPath(folder);
  const file = new RotatingFile(path, limits);
  let dropped = 0;
  let told = false;

  const append = (level: LogLevel, message: string, fields: LogFields): void => {
    file.append(logLine({ atMs: now(), level, pid: process.pid, message, fields }, redact));
  };
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (rank[level] < rank[minLevel]) return;
      try {
        if (dropped > 0) {
          append('warn', 'entries could not be written', { dropped });
          dropped = 0;
        }
        append(level, message, fields);
      } catch (error) {
        dropped += 1;
        if (told) return;
        told = true;
        const why = messageOf(error);
        warn(
          `The log (${path}) can't be written: ${why}. Curfew goes on without it; free space or make the folder writable.`,
        );
      }
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    close: () => {
      try {
        file.close();
      } catch (error) {
        // Some file systems report a failed write only now (close(2)).
        warn(`The end of the log (${path}) may be missing: ${messageOf(error)}.`);
      }
    },
  };
};
