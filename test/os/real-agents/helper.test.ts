import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { helperName } from '../../../app/helpers/helpers.ts';
import { type PinnedAgent, pinnedHelpers, programOf } from '../../../build/agents/table.ts';
import { findChromium } from '../../../build/scripts/find-chromium.ts';
import { FakeClaude } from '../scene/claude.ts';
import { reap, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { descendants, type Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { watchedWithoutClient } from '../servers/free-time.ts';
import { missingOf, withAgents } from './session.ts';

/** Connects to a socket or a port and stays, as a command of the helper does while it waits. */
const client = [
  'import socket, sys, time; at = sys.argv[1]',
  "s = socket.socket(socket.AF_UNIX) if at[0] == '/' else socket.socket()",
  "s.connect(at if at[0] == '/' else ('127.0.0.1', int(at))); time.sleep(99999)",
].join('\n');

/** A connection that has ended counts as recent for a minute (TIME_WAIT); here for no time. */
const forgetConnections = async (stage: Scene): Promise<void> => {
  const argv = ['sh', '-c', 'echo 0 >/proc/sys/net/ipv4/tcp_max_tw_buckets'] as const;
  const { pid } = await stage.top.begin({ file: '/bin/sh', argv, env: stage.userEnvironment() });
  expect((await stage.top.ended(pid)).code).toBe(0);
};

const browser = findChromium();
const chromium = 'path' in browser ? browser.path : '';

/** Of one that was in use a moment ago. */
const maxLooks = 20;

interface Kind {
  readonly agent: PinnedAgent;
  readonly needs: PinnedAgent | 'chromium';
  /** What an agent or its hook types. */
  readonly typed: string;
  /** What is said once it runs. */
  readonly said: string;
  /** The socket, or the file with the port, by which its commands reach it. */
  readonly at: (stage: Scene) => string;
}

/** The first file below a folder of the scene whose path there is of this form. */
const below = (stage: Scene, folder: `/${string}`, form: RegExp): string => {
  const names = readdirSync(stage.outside(folder), { recursive: true, encoding: 'utf8' });
  return `${folder}/${names.find((name) => form.test(name)) ?? 'none'}`;
};

const { playwright, chromeDevtools, claudeMem, bun } = pinnedHelpers;
const started = `start --executablePath ${chromium} --chromeArg=--no-sandbox --no-usage-statistics`;
const memory = dirname(programOf(claudeMem));

const kinds: readonly Kind[] = [
  {
    agent: playwright,
    needs: 'chromium',
    typed: `${programOf(playwright)} open about:blank`,
    said: 'Page URL',
    at: (stage) => below(stage, '/tmp', /^pw-[^/]+\/cli\/.*\.sock$/u),
  },
  {
    agent: chromeDevtools,
    needs: 'chromium',
    typed: `${programOf(chromeDevtools)} ${started} && ${programOf(chromeDevtools)} list_pages`,
    said: 'about:blank',
    at: (stage) => below(stage, '/tmp', /^chrome-devtools-mcp-[^/]+\/server\.sock$/u),
  },
  {
    agent: claudeMem,
    needs: bun,
    // As its hook of SessionStart does.
    typed: `PATH=${dirname(programOf(bun))}:$PATH ${process.execPath} ${memory}/bun-runner.js ${memory}/worker-service.cjs start`,
    said: '"status":"ready"',
    at: (stage) => /"port": (\d+)/u.exec(stage.read(`${stage.home}/.claude-mem/worker.pid`))?.[1] ?? 'none',
  },
];

const missing = ({ agent, needs }: Kind): boolean =>
  missingOf(agent) !== null || (needs === 'chromium' ? chromium === '' : missingOf(needs) !== null);

const open = async (stage: Scene, kind: Kind): Promise<{ readonly claude: FakeClaude; readonly helper: Identity }> => {
  await forgetConnections(stage);
  const claude = await FakeClaude.start(stage);
  const script = `(${kind.typed}) </dev/null >/tmp/said 2>&1`;
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
  await stage.until('it runs', () => stage.has('/tmp/said') && stage.read('/tmp/said').includes(kind.said));
  const { pid } = await stage.find('the helper', (row) => helperName(row) === kind.agent.agent);
  return { claude, helper: stage.identity(pid) };
};

for (const kind of kinds)
  test.skipIf(missing(kind))(
    `the real ${kind.agent.agent}: in use it is left alone, and unused it is offered and ends whole`,
    scene(async (stage) => {
      const { claude, helper } = await open(stage, kind);
      const beside = await FakeClaude.start(stage);
      const innocents = [bystander(stage, 'a living session', beside.actor.pid)];
      const using = await stage.top.begin({
        file: '/usr/bin/python3',
        argv: ['python3', '-c', client, kind.at(stage)],
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
      expect(used).toMatchObject({ kind: 'server', name: kind.agent.agent, owner: 'gone', verdict: { state: 'kept' } });
      expect(used?.verdict.reasons.map(({ code }) => code)).toContain('in-use');
      await stage.first.signal(using.pid, 'KILL');
      await stage.until('its client has ended', () => !stage.lives(using));
      let offered = await found();
      // While it still starts, it works above its idle rhythm, and counts as in use.
      for (let look = 0; look < maxLooks && offered?.verdict.state !== 'probable'; look++) {
        await watchedWithoutClient(stage);
        offered = await found();
      }
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
