import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { SessionDirectory } from '../../../app/model/session.ts';
import { SessionReader } from '../../../main/agents/session-directory.ts';
import { fakeMachine, type Plant } from './fake-table.ts';

export const uid = process.getuid?.() ?? 0;

/** The home folder of the test that runs. */
export let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-sessions-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Writes a file below the home folder, old enough to be remembered, and returns its path. */
export const write = (path: string, content: unknown): string => {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
  utimesSync(whole, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  return whole;
};

/** One look at the sessions of a machine with these processes. */
export const read = (plants: readonly Plant[], options: { readonly complete?: boolean } = {}): SessionDirectory => {
  const { table, source } = fakeMachine(plants, options);
  return new SessionReader({ source, home, uid, platform: 'linux' }).read(table);
};

/** The sessions, one text each. */
export const states = (directory: SessionDirectory): readonly string[] =>
  directory.sessions.map((one) => `${one.agent} ${one.id?.slice(0, 8)} ${one.pid} ${one.state}`);
