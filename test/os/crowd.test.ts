import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { gather } from '../bench/crowd.ts';
import { gatherOverdue } from '../bench/overdue-crowd.ts';
import { reapDocument, scanDocument } from './scene/schemas.ts';

// `npm run test:crowd` uses 30,000, about what a usual pid_max of 32,768 leaves room for.
const size = Number(process.env['CURFEW_TEST_CROWD'] ?? 1_000);
const leftovers = 20;

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');

const curfew = async <T>(home: string, schema: z.ZodType<T>, args: readonly string[]): Promise<T> => {
  const child = spawn(process.execPath, [commandLine, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: home, CURFEW_HOME: join(home, 'curfew') },
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return schema.parse(JSON.parse(said));
};

const living = (pids: readonly number[]): number => pids.filter((pid) => existsSync(`/proc/${pid}`)).length;

test(`among ${size} processes only the leftovers are found and ended`, async () => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-crowd-'));
  const crowd = await gather(size, false);
  const few = await gatherOverdue(leftovers);
  const others = [...few.innocents, ...crowd.pids];
  try {
    const began = performance.now();
    const { jobs } = await curfew(home, scanDocument, ['scan', '--json', '--all']);
    const lookedMs = performance.now() - began;
    const members = new Set(jobs.flatMap((job) => job.members.map(({ pid }) => pid)));
    expect(few.jobs.filter((pid) => !members.has(pid))).toEqual([]);
    expect(others.filter((pid) => members.has(pid))).toEqual([]);

    // Marks alone name them, so they end by the user's word only.
    const named = jobs.flatMap(({ id }) => ['--job', id]);
    const asked = ['reap', '--json', '--grace', '1s', ...named];
    const { incidents } = await curfew(home, reapDocument, asked);
    const signalled = new Set(incidents.flatMap(({ signals }) => signals.flatMap(({ pids }) => pids)));
    expect(few.jobs.filter((pid) => !signalled.has(pid))).toEqual([]);
    expect(
      others.filter((pid) => signalled.has(pid)),
      'touched: innocents',
    ).toEqual([]);
    expect(living(few.jobs)).toBe(0);
    expect(living(others), 'touched: how many of the innocents live').toBe(others.length);
    console.log(
      `${size} processes: scan ${lookedMs.toFixed(0)} ms, scan and reap ${(performance.now() - began).toFixed(0)} ms`,
    );
  } finally {
    await few.disperse();
    await crowd.disperse();
    rmSync(home, { recursive: true, force: true });
  }
});
