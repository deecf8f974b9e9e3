import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, lookBefore } from '../scene/curfew.ts';
import { bystander, expectGone, innocentProgram } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';

const terminal = readFileSync(join(import.meta.dirname, '../fixtures/terminal.pl'), 'utf8');

/** Writes a program that holds a pseudo-terminal and runs something on it. */
const terminalScript = (
  stage: Scene,
  name: string,
  runs: readonly string[],
  names: Readonly<Record<string, string>> = {},
): string => {
  const shell = runs.map((word) => `q{${word}}`).join(', ');
  const marks = Object.entries(names).map(([key, value]) => `'${key}' => '${value}'`);
  const set = `our $KEYS = '/tmp/scene/${name}-keys'; our @SHELL = (${shell}); our %NAMES = (${marks.join(', ')});`;
  return stage.write(`/tmp/scene/${name}.pl`, `${set}\n${terminal}`);
};

describe.concurrent('a terminal that a process of no known name holds', () => {
  for (const way of ['setsid hostd', 'hostd'] as const)
    test(
      `a tool call started it by ${way}, and the user works in it in a program of no known name`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        for (const name of ['hostd', 'node']) stage.program(`/tmp/scene/path/${name}`);
        const own = innocentProgram(stage, '/tmp/work/explore.js');
        const script = terminalScript(stage, 'host', ['node', '/tmp/work/explore.js']);
        await claude.foregroundSeen(`${way} ${script} </dev/null >/dev/null 2>&1 & true`);
        const innocent = await own.ready();
        const host = await stage.find('the host', ({ argv }) => argv[1] === script);
        await claude.foregroundSeen('nohup sleep 7777 </dev/null >/dev/null 2>&1 & true');
        const left = await stage.find('a leftover', ({ argv }) => argv.join(' ') === 'sleep 7777');
        const leftover = stage.identity(left.pid);
        await claude.crash();
        const look = await expectSpared(stage, [innocent, bystander(stage, 'the host', host.pid)]);
        expect(jobWith(look, innocent.identity.pid)).toMatchObject({ proof: 'claimed', owner: 'unknown' });
        expectGone(stage, [leftover]);
        const innocentLeft = { ...innocent, diary: null };
        // What the user has left in it is the user's when the terminal is closed.
        await stage.first.signal(host.pid, 'KILL');
        await stage.until('the host has ended', () => stage.row(host.pid) === null);
        expect(jobWith(await expectSpared(stage, [innocentLeft]), innocent.identity.pid)).toMatchObject({
          proof: 'claimed',
        });
      }),
    );
});

describe.concurrent('a terminal that the agent holds', () => {
  test(
    'what a tool call left of it is a leftover like any other',
    scene(async (stage) => {
      const session = '0199c2f0-0000-7000-8000-00000000000a';
      const marks = { CODEX_SESSION_ID: session, CODEX_THREAD_ID: session, CODEX_CI: '1' };
      const script = terminalScript(stage, 'agent', ['/bin/bash', '-lc', 'trap "" HUP; sleep 7777; true'], marks);
      const codex = await stage.top.begin({
        file: stage.program('codex'),
        argv: ['codex', script],
        env: stage.userEnvironment(),
        cwd: stage.folder(`${stage.home}/shop`),
        setsid: true,
      });
      const sleeper = await stage.find('the command', ({ argv }) => argv.join(' ') === 'sleep 7777');
      const left = stage.identity(sleeper.pid);
      await lookBefore(stage);
      await stage.first.signal(codex.pid, 'KILL');
      await stage.until('its agent has ended', () => stage.row(codex.pid) === null);
      await expectSpared(stage, []);
      expectGone(stage, [left]);
    }),
  );
});
