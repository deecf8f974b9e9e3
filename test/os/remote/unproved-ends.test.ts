import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { childEnvironment } from '../scene/claude-shell.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { bystander, expectUntouched, type Innocent, innocentProgram } from '../scene/innocents.ts';
import { copilot, type FakeAgent, gemini } from '../scene/other-agents.ts';
import { pinned } from '../scene/outcome.ts';
import { scanDocument } from '../scene/schemas.ts';
import type { Scene } from '../scene/scene.ts';
import { seenCall } from '../scene/seen-call.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const scanned = scanDocument.extend({ host: z.literal('web1') });
const leaving = 'nohup sleep 3605 >/dev/null 2>&1 & sleep 0.2';

const scan = async (machine: FarMachine): Promise<z.infer<typeof scanned>> =>
  scanned.parse(oneDocument(await machine.run(['scan', '--json', '--explain', '--all', '--host', 'web1'])));

const leftBehind = async (stage: Scene): Promise<Innocent> => {
  const [left] = await pinned(stage, 'sleep 3605');
  if (left === undefined) throw new Error('nothing was left');
  return { what: 'what a call left', identity: left, diary: null };
};

/** What a call of another agent left, seen over the connection while the call ran. */
const leftBy = async (machine: FarMachine, agent: FakeAgent): Promise<Innocent> => {
  await seenCall(machine.stage, leaving, {
    begin: (command) => agent.shell(command),
    shell: (shell) => shell,
    ended: (pid) => agent.actor.ended(pid),
    look: () => scan(machine),
  });
  return leftBehind(machine.stage);
};

/** Not called a leftover, and spared by a pass over the connection: not for want of a witness. */
const expectNotGone = async (
  machine: FarMachine,
  left: Innocent,
  proof: 'witnessed' | 'claimed' = 'witnessed',
): Promise<void> => {
  const job = jobWith(await scan(machine), left.identity.pid);
  expect(job.owner).not.toBe('gone');
  expect(job.proof === 'claimed').toBe(proof === 'claimed');
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
            await first.foregroundSeen(leaving, () => scan(machine));
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
            const left = await leftBy(machine, agent);
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
          await expectNotGone(machine, await leftBehind(stage), 'claimed');
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
          // Marks alone name it: what is above it is no agent that Curfew knows.
          await expectNotGone(machine, await leftBy(machine, agent), 'claimed');
        },
        { shell: 'dash' },
      ),
    );
  },
);
