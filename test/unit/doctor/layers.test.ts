import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHookFolders, hookFolders, type HookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { drainInbox } from '../../../main/agents/hooks/inbox/inbox.ts';
import { InboxWatch } from '../../../main/agents/hooks/inbox/inbox-watch.ts';
import { notePass } from '../../../main/agents/hooks/inbox/latest-pass.ts';
import { proveLoop, provePass } from '../../../main/doctor/prove-layers.ts';

let root = '';
let folders: HookFolders;
const uid = process.getuid?.() ?? 0;
const self = { pid: process.pid, startTicks: 1 };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-layers-'));
  folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the loop', () => {
  test('that listens takes a marked event', async () => {
    createHookFolders(folders);
    const watch = new InboxWatch(folders, uid);
    watch.listen(() => drainInbox(folders, uid, () => undefined));
    const found = await proveLoop(folders, { uid, self, patienceMs: 30_000 });
    watch.close();
    expect(found).toMatchObject({ what: 'Supervisor', level: 'ok' });
  });

  test('that takes nothing is a problem, and nothing is left lying', async () => {
    expect(await proveLoop(folders, { uid, self, patienceMs: 200 })).toMatchObject({ level: 'problem' });
    expect(drainInbox(folders, uid, () => undefined)).toBe(0);
  });

  test('that can be told nothing is a problem', async () => {
    writeFileSync(join(root, 'hooks'), 'in the way');
    expect(await proveLoop(folders, { uid, self, patienceMs: 200 })).toMatchObject({ level: 'problem' });
  });
});

test('of events only beginnings and ends are news, and the inbox may come and go', async () => {
  let heard = 0;
  const watch = new InboxWatch(folders, uid);
  const put = (name: string, event: string): void => {
    watch.listen(() => (heard += 1));
    const record = { version: 1, agent: 'claude-code', event, ancestors: [], declaredPid: null, session: 's-1' };
    writeFileSync(join(folders.inbox, `${name}-7.event`), `${JSON.stringify(record)}\n`);
  };
  watch.listen(() => (heard += 1));
  createHookFolders(folders);
  put('1', 'tool');
  put('2', 'stop');
  await pause(300);
  expect(heard).toBe(0);
  // Once or twice: a file is made and then written, which may be two bursts.
  put('3', 'session-end');
  await vi.waitFor(() => expect(heard).toBeGreaterThan(0), 30_000);
  await pause(300);
  heard = 0;
  rmSync(folders.inbox, { recursive: true });
  createHookFolders(folders);
  put('4', 'session-start');
  await vi.waitFor(() => expect(heard).toBeGreaterThan(0), 30_000);
  watch.close();
});

describe('the pass', () => {
  const nowMs = 1_795_000_000_000;
  const minutes = 60_000;
  const prove = (
    state: 'enabled' | 'disabled',
    more: { readonly booted?: number; readonly program?: string; readonly kind?: 'supervisor' } = {},
  ) =>
    provePass(
      folders,
      { state, text: 'Set up.', files: [join(root, 'unit')], kind: more.kind ?? 'pass' },
      {
        program: more.program ?? import.meta.filename,
        nowMs,
        bootedMs: nowMs - (more.booted ?? 600) * minutes,
      },
    ).level;

  test('is expected where it is set up, once the machine has run long enough', () => {
    expect(prove('disabled')).toBe('note');
    expect(prove('enabled')).toBe('problem');
    expect(prove('enabled', { booted: 2 })).toBe('ok');
  });

  test('is not expected where a supervisor is started instead', () => {
    expect(prove('enabled', { kind: 'supervisor' })).toBe('ok');
    expect(prove('enabled', { kind: 'supervisor', program: '/nowhere' })).toBe('problem');
  });

  test('is seen by what it left', () => {
    notePass(folders, nowMs - 4 * minutes);
    expect(prove('enabled')).toBe('ok');
    expect(prove('enabled', { program: '/nowhere' })).toBe('problem');
    notePass(folders, nowMs - 60 * minutes);
    expect(prove('enabled')).toBe('problem');
  });
});
