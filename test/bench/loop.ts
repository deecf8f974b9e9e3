import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** The delays of an event loop, milliseconds. */
export interface LoopDelay {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** A Node whose event loop is measured. */
export interface MeasuredNode {
  readonly child: ChildProcess;
  /**
   * Returns the measurements since the last call. Rejects when the process ends instead of
   * answering.
   */
  delay(): Promise<LoopDelay>;
}

const preload = pathToFileURL(join(import.meta.dirname, 'loop-delay.ts')).href;

/**
 * Starts Node with its event loop measured. `home` is its home and Curfew's, and gets the
 * measurement.
 */
export const startMeasured = (home: string, args: readonly string[], stdio: StdioOptions): MeasuredNode => {
  const file = join(home, `loop-${args.length}.json`);
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio,
    env: { ...process.env, HOME: home, CURFEW_HOME: home, CURFEW_BENCH_LOOP: file },
  });
  return {
    child,
    delay: async () => {
      rmSync(file, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(file)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('what was measured has ended');
        await wait(20);
      }
      return JSON.parse(readFileSync(file, 'utf8')) as LoopDelay;
    },
  };
};
