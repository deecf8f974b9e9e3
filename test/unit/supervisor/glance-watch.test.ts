import { chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Look } from '../../../main/observing/look.ts';
import type { Glance } from '../../../main/os/processes/source.ts';
import { GlanceWatch, type Written, WrittenWatch } from '../../../main/supervisor/glance-watch.ts';

const agent = { pid: 34, startTicks: 10_000 };
const look = { agents: [{ parts: [agent] }] } as unknown as Pick<Look, 'agents'>;
const quiet: Glance = { fresh: [], call: null };

/** A watch of a machine of which each glance sees what `sees` says. */
const watching = (sees: (glances: number) => Glance = () => quiet, works: () => boolean = () => false) => {
  const counted = { glances: 0, found: 0, failed: 0 };
  const watch = new GlanceWatch({
    source: {
      glances: {
        glance: () => sees(++counted.glances),
        atWork: () => (works() ? [agent] : []),
        written: () => [],
        ranSince: () => null,
        glimpses: [],
      },
      read: (pid) => ({ pid, startTicks: 20_000 }) as unknown as ProcessRow,
    },
    isCallFile: () => false,
    isAgent: ({ pid }) => Number(pid) === 90,
    failed: () => counted.failed++,
  });
  watch.follow(look, () => counted.found++);
  return { watch, counted };
};

describe('the watch of glances', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('looks twice a second while no agent works, and 30 times as one does', () => {
    let works = false;
    const { watch, counted } = watching(undefined, () => works);
    vi.advanceTimersByTime(10_000);
    expect(counted.glances).toBe(21);
    works = true;
    vi.advanceTimersByTime(10_000);
    expect(counted.glances).toBeGreaterThan(300);
    watch.close();
  });

  test('follows a call without a pause, then every 2 ms, and rests when it has returned', () => {
    const { watch, counted } = watching((count) => ({ fresh: [], call: count === 3 ? 'began' : null }));
    vi.advanceTimersByTime(1000);
    const before = counted.glances;
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(counted.glances - before).toBe(2);
    vi.advanceTimersByTime(210);
    expect(counted.glances - before).toBeGreaterThan(60);
    const rested = counted.glances;
    vi.advanceTimersByTime(5000);
    expect(counted.glances - rested).toBeLessThan(12);
    watch.close();
  });

  test('rests at once where the call that it follows returns', () => {
    const { watch, counted } = watching((count) => ({
      fresh: [],
      call: count === 2 ? 'began' : count === 6 ? 'returned' : null,
    }));
    vi.advanceTimersByTime(900);
    expect(counted.glances).toBe(6);
    watch.close();
  });

  test('asks for a look once, and follows the agent that it found', () => {
    const { watch, counted } = watching((count) => ({ fresh: count === 2 || count === 4 ? [90] : [], call: null }));
    vi.advanceTimersByTime(5000);
    expect(counted.found).toBe(1);
    watch.close();
  });

  test('asks for a look at most every 5 s while too many processes begin to look for an agent', () => {
    const { watch, counted } = watching((count) => ({ fresh: count === 2 ? null : [], call: null }));
    vi.advanceTimersByTime(4400);
    expect(counted.found).toBe(0);
    vi.advanceTimersByTime(5000);
    expect(counted.found).toBe(1);
    watch.follow(look, () => counted.found++);
    vi.advanceTimersByTime(4400);
    expect(counted.found).toBe(1);
    watch.close();
  });

  test('ends with its owner, also in the middle of a call', () => {
    const { watch, counted } = watching(() => ({ fresh: [], call: 'began' }));
    watch.close();
    vi.advanceTimersByTime(5000);
    expect(counted.glances).toBe(1);
  });

  test('goes on with the next look where a glance failed', () => {
    const { watch, counted } = watching((count) => {
      if (count === 1) throw new Error('no file descriptors left');
      return quiet;
    });
    vi.advanceTimersByTime(5000);
    expect(counted).toMatchObject({ glances: 1, failed: 1 });
    watch.follow(look, () => undefined);
    expect(counted.glances).toBe(2);
    watch.close();
  });
});

describe('what agents write', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'curfew-written-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const listening = (kind: 'file' | 'folder', path: string) => {
    const heard: Written[] = [];
    const watch = new WrittenWatch({
      written: () => [{ path, id: '1:1', kind }],
      isCallFile: () => false,
      heard: (what) => heard.push(what),
    });
    watch.keepTo([agent]);
    watch.listen(agent);
    return { heard, watch };
  };

  test('is heard where a file comes into a folder of theirs, or one of theirs changes', async () => {
    writeFileSync(join(folder, 'transcript'), '');
    const inFolder = listening('folder', folder);
    const inFile = listening('file', join(folder, 'transcript'));
    writeFileSync(join(folder, 'transcript'), 'more');
    writeFileSync(join(folder, 'b1.output'), '');
    await expect.poll(() => [inFolder.heard[0], inFile.heard[0]]).toEqual(['named', 'changed']);
    inFolder.watch.close();
    inFile.watch.close();
  });

  test.skipIf(process.getuid?.() !== 0)(
    'is not heard of another user, who may name files like those of calls (SKIPPED: only root makes such a file)',
    async () => {
      vi.stubEnv('TMPDIR', folder);
      onTestFinished(() => void vi.unstubAllEnvs());
      const beside = mkdtempSync(join(folder, 'beside-'));
      const heard: Written[] = [];
      const isCallFile = (name: string): boolean => name.startsWith('call-');
      const watch = new WrittenWatch({ written: () => [], isCallFile, heard: (what) => heard.push(what) });
      watch.keepTo([agent]);
      for (const name of ['call-1', 'call-2']) {
        writeFileSync(join(beside, name), '');
        if (name === 'call-1') chownSync(join(beside, name), 65_534, 65_534);
        renameSync(join(beside, name), join(folder, name));
      }
      await expect.poll(() => heard.length).toBeGreaterThan(0);
      expect(heard).toEqual(['named']);
      watch.close();
    },
  );

  test('is no longer heard of an agent that no look sees any more', async () => {
    const { heard, watch } = listening('folder', folder);
    writeFileSync(join(folder, 'b1.output'), '');
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    watch.keepTo([]);
    const before = heard.length;
    const other = listening('folder', folder);
    writeFileSync(join(folder, 'b2.output'), '');
    await expect.poll(() => other.heard.length).toBeGreaterThan(0);
    expect(heard).toHaveLength(before);
    other.watch.close();
  });
});
