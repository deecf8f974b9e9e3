import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { history, runCurfew } from '../scene/curfew.ts';
import { FakeClaude, type ToolCall } from '../scene/claude.ts';
import { pinned } from '../scene/outcome.ts';
import { type Identity, lives } from '../scene/processes.ts';
import { scene } from '../scene/scene.ts';
import type { ScannedJob } from '../scene/schemas.ts';
import { StageError } from '../scene/stage-error.ts';
import { jobOf, looksOf, watchClosely } from './watched.ts';

const incident = z.looseObject({
  command: z.string(),
  outcome: z.string(),
  signals: z.array(z.unknown()),
  freed: z.looseObject({ processes: z.number() }),
  events: z.array(z.looseObject({ kind: z.string(), text: z.string().optional() })),
});

const overstayed = (jobs: readonly ScannedJob[], pid: number): boolean =>
  jobs.some(({ members, verdict }) => members.some((one) => one.pid === pid) && verdict.state === 'overdue');

describe.concurrent('an end that Curfew did not cause', () => {
  test(
    'is distinguished in the history: a user at a terminal, the agent’s own deadline, Curfew’s own command; a job within its limits is absent',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const killed = await claude.bash('sleep 3601 | cat');
      const deadline = await claude.bash('sleep 3602 | cat');
      const reaped = await claude.bash('sleep 3603 | cat');
      const processes = await pinned(stage, 'sleep 3601', 'sleep 3602');
      const watch = await watchClosely(stage);
      for (const { shell } of [killed, deadline, reaped])
        await stage.until('it is overdue', () => jobOf(watch, shell.pid)?.verdict.state === 'overdue');
      const young = await claude.bash('sleep 0.6; true');
      await claude.actor.ended(young.shell.pid);

      const end = async ({ shell }: ToolCall, sleepers: readonly Identity[]): Promise<void> => {
        for (const { pid } of [shell, ...sleepers]) await stage.first.signal(pid, 'TERM');
        await stage.until('it has ended', () => !stage.table().some((row) => lives(row) && row.sid === shell.pid));
      };
      // The next scan comes after all of that: the agent writes its report a moment after the end.
      await watch.signal('STOP');
      await stage.until('the watch is stopped', () => stage.row(watch.identity.pid)?.state === 'T');
      await end(killed, processes.slice(0, 1));
      await end(deadline, processes.slice(1));
      claude.note({
        type: 'user',
        message: {
          role: 'user',
          content: `<task-notification>\n<task-id>${deadline.task}</task-id>\n<status>killed</status>\n<summary>Background command "x" stopped after reaching its background time limit</summary>\n</task-notification>`,
        },
      });
      const job = jobOf(watch, reaped.shell.pid)?.id ?? '';
      await watch.signal('CONT');
      expect((await runCurfew(stage, ['reap', '--job', job, '--grace', '1s'])).code).toBe(0);
      await stage.until('both are told of', () => watch.stdout().split('"event":"ended"').length === 3);
      const before = watch.stdout().split('"event":"looked"').length;
      await stage.until('some looks more', () => watch.stdout().split('"event":"looked"').length > before + 5);
      await watch.signal('TERM');
      await watch.ended();
      if (looksOf(watch).some((jobs) => overstayed(jobs, young.shell.pid)))
        throw new StageError(
          'waited in vain: a command of less than a second had no turn to end within its limit of 4 s',
        );
      const incidents = z.array(incident).parse(await history(stage));
      const told = new Map(
        incidents.map((one) => [one.command, [one.outcome, one.events.find(({ kind }) => kind === 'note')?.text]]),
      );
      expect(told).toEqual(
        new Map([
          [killed.command, ['vanished', expect.stringContaining('such as a user at a terminal')]],
          [deadline.command, ['vanished', expect.stringContaining('the agent’s own time limit')]],
          [
            reaped.command,
            [
              expect.stringMatching(/^(?:reaped|killed)$/u),
              expect.stringContaining('Noted in the agent’s output file'),
            ],
          ],
        ]),
      );
      expect(incidents).toHaveLength(3);
      for (const one of incidents.filter(({ outcome }) => outcome === 'vanished'))
        expect(one).toMatchObject({ signals: [], freed: { processes: 0 } });
    }),
  );
});
