import type { Plant } from './plant.ts';
import { claudeEnvironment } from './plant.ts';

/** What the calls of one session of Claude Code, process 34, are marked with. */
export const env = claudeEnvironment({ pid: 34 });

/** Left of a tool call: its shell, which led group and kernel session 80, has ended. */
export const left = (pid: number, more: Partial<Plant> = {}): Plant => ({
  pid,
  sid: 80,
  pgid: 80,
  argv: `sleep ${pid}`,
  env,
  ...more,
});

/** Left of it as well, with a kernel session of its own. */
export const loose = (pid: number, more: Partial<Plant> = {}): Plant => left(pid, { sid: pid, pgid: pid, ...more });
