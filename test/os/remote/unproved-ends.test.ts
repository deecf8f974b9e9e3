import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { childEnvironment } from '../scene/claude-shell.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { bystander, expectUntouched, type Innocent, innocentProgram } from '../scene/innocents.ts';
import { copilot, gemini } from '../scene/other-agents.ts';
import { pinned } from '../scene/outcome.ts';
import { scanDocument } from '../scene/schemas.ts';
import type { Scene } from '../scene/scene.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const scanned = scanDocument.extend({ host: z.literal('web1') });
const leaving = 'nohup sleep 3605 >/dev/null 2>&1 & sleep 0.2';

const leftBehind = async (stage: Scene): Promise<Innocent> => {
  const [left] = await pinned(stage, 'sleep 3605');
  if (left === undefined) throw new Error('nothing was left');
  return { what: 'what a call left', identity: left, diary: null };
};

/** Not called a leftover, and spared by a pass over the connection. */
const expectNotGone = async (machine: FarMachine, left: Innocent): Promise<void> => {
  const look = scanned.parse(
    oneDocument(await machine.run(['scan', '--json', '--explain', '--all', '--host', 'web1'])),
  );
  expect(jobWith(look, left.identity.pid).owner).not.toBe('gone');
  await machine.run(['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '1s']);
  expectUntouched(machine.stage, [left]);
};

describe.skipIf(missing !== null)(
  `over ssh, a session counts as closed only if its end was observed ${skipped}`,
  () => {
    for (const shell of ['dash', 'busybox'] as const) {
      test(
        `${shell}: the entry of a resumed session is truncated`,
        far(
          async (machine) => {
            const { stage } = machine;
            const first = await FakeClaude.start(stage);
            await first.foreground(leaving);
            const left = await leftBehind(stage);
            await first.crash();
            const second = await FakeClaude.start(stage, { session: first.session });
            await second.actor.release();
            writeFileSync(stage.outside(second.registration), '{"pid": 12');
            await expectNotGone(machine, left);
          },
          { shell },
        ),
      );

      test(
        `${shell}: a file is in the place of the session folder of Copilot`,
        far(
          async (machine) => {
            const { stage } = machine;
            const agent = await copilot(stage);
            await agent.actor.ended((await agent.shell(leaving)).pid);
            const left = await leftBehind(stage);
            await agent.crash();
            const folder = `${stage.home}/.copilot/session-state/${agent.session}`;
            rmSync(stage.outside(folder), { recursive: true });
            stage.write(folder, '');
            await expectNotGone(machine, left);
          },
          { shell },
        ),
      );
    }

    test(
      'an agent in its own pid namespace, whose inner pid is in a marker',
      far(
        async (machine) => {
          const { stage } = machine;
          const script = '/tmp/home/sandbox/host.js';
          const { ready } = innocentProgram(stage, script);
          await stage.top.start({
            file: '/usr/bin/unshare',
            argv: [
              'unshare',
              '--pid',
              '--fork',
              '--kill-child',
              'sh',
              '-c',
              `${stage.program('node')} ${script} & wait`,
            ],
            env: stage.userEnvironment(),
            cwd: stage.home,
            setsid: true,
          });
          const agent = await ready();
          const pids =
            /^NSpid:\s(.*)$/mu.exec(stage.read(`/proc/${agent.identity.pid}/status`))?.[1]?.split('\t') ?? [];
          const marks = {
            version: '2.1.329',
            session: 'f3c1f0de-0000-4000-8000-000000000001',
            executable: '/app/bin/claude',
            started: '/tmp/claude-0/-home-s/started',
            pid: Number(pids.at(-1)),
            entrypoint: 'cli',
          } as const;
          const env = { ...stage.userEnvironment(), ...childEnvironment(marks, 'agent') };
          const argv = ['bash', '-c', leaving];
          const call = await stage.top.start({ file: '/bin/bash', argv, env, cwd: stage.home, setsid: true });
          await stage.top.ended(call);
          await expectNotGone(machine, await leftBehind(stage));
          expectUntouched(stage, [bystander(stage, 'the agent', agent.identity.pid)]);
        },
        { shell: 'dash' },
      ),
    );

    test(
      'Gemini under a name without a signature',
      far(
        async (machine) => {
          const { stage } = machine;
          const agent = await gemini(stage, '/tmp/home/shop', '/tmp/home/zed/agent.js');
          await agent.actor.ended((await agent.shell(leaving)).pid);
          await expectNotGone(machine, await leftBehind(stage));
        },
        { shell: 'dash' },
      ),
    );
  },
);
