import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pinnedHelper, programOf } from '../../../build/agents/table.ts';
import { findChromium } from '../../../build/scripts/find-chromium.ts';
import { FakeClaude } from '../scene/claude.ts';
import { reap, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { descendants, type Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { watchedWithoutClient } from '../servers/free-time.ts';
import { missingOf, withAgents } from './session.ts';

/** Connects to a socket and stays, as a command of the helper does while it waits. */
const client = 'import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); time.sleep(99999)';

/** The socket by which the commands of playwright-cli reach its daemon. */
const socketOf = (stage: Scene): string => {
  const names = readdirSync(stage.outside('/tmp'), { recursive: true, encoding: 'utf8' });
  return `/tmp/${names.find((name) => /^pw-[^/]+\/cli\/.*\.sock$/u.test(name)) ?? 'none'}`;
};

const browser = findChromium();
const chromium = 'path' in browser ? browser.path : '';

const open = async (stage: Scene): Promise<{ readonly claude: FakeClaude; readonly helper: Identity }> => {
  const claude = await FakeClaude.start(stage);
  const script = `${programOf(pinnedHelper)} open about:blank </dev/null >/tmp/opened 2>&1`;
  await claude.actor.start({
    file: '/bin/bash',
    argv: ['bash', '-c', script],
    env: {
      ...claude.environment('harness'),
      PLAYWRIGHT_MCP_EXECUTABLE_PATH: chromium,
      PLAYWRIGHT_MCP_SANDBOX: 'false',
      PLAYWRIGHT_MCP_NO_SANDBOX: '1',
    },
    cwd: claude.project,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  await stage.until(
    'its page is open',
    () => stage.has('/tmp/opened') && stage.read('/tmp/opened').includes('Page URL'),
  );
  const { pid } = await stage.find('the helper', ({ argv }) => argv.some((word) => word.endsWith('/cliDaemon.js')));
  return { claude, helper: stage.identity(pid) };
};

test.skipIf(missingOf(pinnedHelper) !== null || chromium === '')(
  'the real playwright-cli with its browser: in use it is left alone, and unused it is offered and ends whole',
  scene(async (stage) => {
    const { claude, helper } = await open(stage);
    const beside = await FakeClaude.start(stage);
    const innocents = [bystander(stage, 'a living session', beside.actor.pid)];
    const using = await stage.top.begin({
      file: '/usr/bin/python3',
      argv: ['python3', '-c', client, socketOf(stage)],
      env: stage.userEnvironment(),
      cwd: stage.home,
      setsid: true,
      fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
    });
    const found = async () =>
      (await scan(stage, ['--all'])).jobs.find(({ members }) => members.some(({ pid }) => pid === helper.pid));
    await found();
    await claude.crash();
    await found();
    await watchedWithoutClient(stage);
    const used = await found();
    expect(used).toMatchObject({ kind: 'server', name: 'playwright-cli', owner: 'gone', verdict: { state: 'kept' } });
    expect(used?.verdict.reasons.map(({ code }) => code)).toContain('in-use');
    await stage.first.signal(using.pid, 'KILL');
    await stage.until('its client has ended', () => !stage.lives(using));
    await found();
    await watchedWithoutClient(stage);
    const offered = await found();
    expect(offered).toMatchObject({ vetoes: [], verdict: { state: 'probable', action: 'none' } });
    expect(offered?.verdict.reasons.map(({ code }) => code)).toContain('server-detached');
    const all = [helper, ...descendants(stage.table(), helper.pid)];
    const crashHandlers = stage.table().filter(({ comm }) => comm.startsWith('chrome_crashpad'));
    expect(offered?.members.length).toBe(all.length + crashHandlers.length);
    await reap(stage, ['--job', offered?.id ?? 'none', '--grace', '5s']);
    expectGone(stage, all);
    expectUntouched(stage, innocents);
  }, withAgents),
);
