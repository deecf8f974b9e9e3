import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HookEvent } from '../../../app/jobs/sessions/hook-event.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { drainInbox } from '../../../main/agents/hooks/inbox/inbox.ts';
import { curfewFile } from '../scene/curfew.ts';
import { claude } from '../real-agents/bench.ts';
import { curfew, hooked, missing, run, settings, type Hooked } from './hooked-claude.ts';

/**
 * Claude Code whose hooks see a running supervisor (this test): all events are kept, and no pass
 * starts.
 */
const supervised = (one: Hooked): string => {
  const file = join(one.root, 'claude');
  const script = `#!/bin/bash
read -r line </proc/$$/stat; fields=(\${line##*') '})
echo "{\\"pid\\":$$,\\"startTicks\\":\${fields[19]}}" >${one.home}/supervisor.lock.json
exec ${claude} "$@"
`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
};

/** The inbox holds this event. */
const holds = (event: string): string => `grep -qs '"event":"${event}"' "$CURFEW_HOME"/hooks/inbox/*.event`;

const eventsOf = async (scenario: string, how: 'term' | 'kill' | 'end'): Promise<readonly HookEvent[]> => {
  const one = hooked('observe');
  const ending = how === 'end' ? how : { how, ready: holds('stop'), before: join(one.root, 'before') };
  // Once terminated, it waits for its hook, but not forever on a busy machine.
  const last = how === 'kill' ? 'true' : `until ${holds('session-end')}; do sleep 0.2; done`;
  try {
    await run(one, scenario, ending, ['sh', '-c', last], supervised(one));
    const events: HookEvent[] = [];
    const folders = hookFolders({ hooks: join(one.home, 'hooks'), lock: join(one.home, 'supervisor.lock') });
    drainInbox(folders, process.getuid?.() ?? 0, (more) => events.push(...more));
    return events;
  } finally {
    rmSync(one.root, { recursive: true, force: true });
  }
};

const kinds = (events: readonly HookEvent[]): readonly string[] => events.map(({ kind }) => kind);

describe.skipIf(missing).concurrent('the real Claude Code with hooks', { timeout: 480_000 }, () => {
  test('reports its start, its tasks, its replies and, when terminated, its end', async () => {
    const events = await eventsOf('bg', 'term');
    expect(kinds(events)).toEqual(['session-start', 'tool', 'stop', 'session-end']);
    const [begin, tool, stop, end] = events;
    expect(new Set(events.map(({ session }) => session)).size).toBe(1);
    expect(begin).toMatchObject({
      agent: 'claude-code',
      source: 'startup',
      project: expect.stringContaining('/project') as string,
    });
    expect(begin?.ancestors.map(({ pid }) => pid)).toContain(begin?.declaredPid);
    const task = tool?.kind === 'tool' ? tool.task : null;
    expect(task).toMatch(/^b[a-z0-9]{8}$/);
    expect(stop).toMatchObject({ backgroundTasks: [{ id: task, status: 'running', command: 'sleep 3600 | cat' }] });
    expect(end).toMatchObject({ reason: 'other' });
  });

  test('reports its end when it exits', async () => {
    const events = await eventsOf('detach', 'end');
    expect(kinds(events).at(0)).toBe('session-start');
    expect(kinds(events).at(-1)).toBe('session-end');
  });

  test('reports no end when it is killed', async () => {
    expect(kinds(await eventsOf('bg', 'kill'))).toEqual(['session-start', 'tool', 'stop']);
  });

  test('what its tool shells noted is ended at once without a supervisor, and its settings are unchanged afterwards', async () => {
    const one = hooked('enforce', '--witness');
    const results = join(one.root, 'results');
    mkdirSync(results);
    try {
      const script = join(import.meta.dirname, '../fixtures/after-hooks.sh');
      await run(one, 'detach', 'end', ['bash', script, process.execPath, curfewFile, results]);
      const read = (name: string): string => readFileSync(join(results, name), 'utf8');
      // What left the session of its shell (3604, 3606) is proved by a control group alone, which
      // not every machine gives.
      expect(read('after.txt')).not.toContain('sleep 3605');
      const { incidents } = z
        .object({ incidents: z.array(z.object({ command: z.string(), decidedBy: z.string(), outcome: z.string() })) })
        .parse(JSON.parse(read('history.json')));
      const ended = incidents.filter(({ command }) => command === 'sleep 3605');
      expect(ended).toMatchObject([{ decidedBy: 'hook', outcome: 'reaped' }]);
      expect(read('notices.txt')).toContain('`sleep 3605`');
      // Claude Code left the file as installed; after removal every byte is as before.
      expect(read('settings.json')).toBe(readFileSync(one.settings, 'utf8'));
      curfew(one, 'hooks', 'uninstall', 'claude-code');
      expect(readFileSync(one.settings, 'utf8')).toBe(settings);
    } finally {
      rmSync(one.root, { recursive: true, force: true });
    }
  });

  test.each(['observe', 'enforce'] as const)('in mode %s what marks alone name is not ended', async (mode) => {
    const one = hooked(mode);
    const results = join(one.root, 'results');
    mkdirSync(results);
    try {
      const script = join(import.meta.dirname, '../fixtures/after-hooks.sh');
      await run(one, 'detach', 'end', ['bash', script, process.execPath, curfewFile, results]);
      for (const left of ['sleep 3604', 'sleep 3605', 'sleep 3606'])
        expect(readFileSync(join(results, 'after.txt'), 'utf8')).toContain(left);
    } finally {
      rmSync(one.root, { recursive: true, force: true });
    }
  });
});
