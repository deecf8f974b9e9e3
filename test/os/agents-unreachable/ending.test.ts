import { describe, expect, test } from 'vitest';
import { history, reap, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { gemini } from '../scene/other-agents.ts';
import { scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { seen, setAgents, watchedFor } from './agents.ts';

const fine = ['writes-to-a-file', 'terminal-lives', 'cron'] as const;
const quick = { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 1 };
/** The memory of agents is set back by this time, so the machine must seem to run for longer. */
const longSeconds = 1000;
const forLong = { upForSeconds: longSeconds + 60 };

describe.concurrent('ending an agent that no user can reach', () => {
  for (const kind of ['hung-up', 'launcher-gone-then-closed', 'cut-off', 'held-by-a-third'] as const) {
    test(
      `${kind}: it alone is ended by its process, and the record says so`,
      scene(async (stage) => {
        const agents = await setAgents(stage, [kind, ...fine]);
        const innocents = fine.map((one) => bystander(stage, one, agents[one].pid));
        const dry = await reap(stage, ['--agent-pid', String(agents[kind].pid), '--dry-run']);
        expect(dry.incidents).toHaveLength(1);
        expect(stage.lives(agents[kind])).toBe(true);
        const done = await reap(stage, ['--agent-pid', String(agents[kind].pid)]);
        expect(done.incidents).toMatchObject([{ decidedBy: 'command', outcome: 'reaped', freed: { processes: 1 } }]);
        expectGone(stage, [agents[kind]]);
        expectUntouched(stage, innocents);
        expect(done.incidents.flatMap(({ signals }) => signals.flatMap(({ pids }) => pids))).toEqual([
          agents[kind].pid,
        ]);
        expect(await history(stage)).toMatchObject([{ id: done.incidents[0]?.id, outcome: 'reaped' }]);
      }),
    );
  }

  test(
    'one that ignores TERM is killed after the grace',
    scene(async (stage) => {
      const agents = await setAgents(stage, ['hung-up-deaf']);
      const { pid } = agents['hung-up-deaf'];
      const done = await reap(stage, ['--agent-pid', String(pid), '--grace', '1s']);
      expect(done.incidents).toMatchObject([{ outcome: 'killed' }]);
      expectGone(stage, [agents['hung-up-deaf']]);
    }),
  );

  test(
    'every state without a proof is refused with a reason, and a process that is no agent is a wrong call',
    scene(async (stage) => {
      const kinds = [...fine, 'editor-gone', 'hung-up-busy', 'hung-up-serving'] as const;
      const agents = await setAgents(stage, kinds);
      const innocents = kinds.map((one) => bystander(stage, one, agents[one].pid));
      for (const kind of kinds) {
        const run = await runCurfew(stage, ['reap', '--agent-pid', String(agents[kind].pid)]);
        expect({ kind, code: run.code, says: run.stderr.includes('Curfew does not signal it') }).toEqual({
          kind,
          code: 1,
          says: true,
        });
      }
      const wrong = await runCurfew(stage, ['reap', '--agent-pid', String(stage.top.pid)]);
      expect(wrong.code).toBe(2);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'a pass without a selector ends no agent',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, mode: 'enforce', unreachableAgents: 'end' });
      const kinds = ['hung-up', 'cut-off', 'held-by-a-third', 'editor-gone', ...fine] as const;
      const agents = await setAgents(stage, kinds);
      const innocents = kinds.map((one) => bystander(stage, one, agents[one].pid));
      const done = await reap(stage, ['--max-age', '0s']);
      expect(done.incidents).toEqual([]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'editor-gone: after 15 minutes in that state, by the memory of an earlier run, it may be ended',
    scene(async (stage) => {
      const agents = await setAgents(stage, ['editor-gone']);
      expect(seen(await scan(stage), agents['editor-gone']).state).toBe('closed-lately');
      await watchedFor(stage, longSeconds);
      expect(seen(await scan(stage), agents['editor-gone'])).toMatchObject({ state: 'unreachable', canEnd: true });
      const done = await reap(stage, ['--agent-pid', String(agents['editor-gone'].pid)]);
      expect(done.incidents).toMatchObject([{ outcome: 'reaped' }]);
      expectGone(stage, [agents['editor-gone']]);
    }, forLong),
  );

  test(
    'a watch ends by itself only what was quiet for 15 minutes, and only where the user chose that',
    scene(async (stage) => {
      const kinds = ['hung-up', 'cut-off', 'held-by-a-third', 'hung-up-busy', 'hung-up-serving', ...fine] as const;
      const agents = await setAgents(stage, kinds);
      const innocents = kinds.filter((one) => one !== 'hung-up').map((one) => bystander(stage, one, agents[one].pid));
      writeSettings(stage, { ...quick, mode: 'enforce' });
      await scan(stage);
      await watchedFor(stage, longSeconds);
      const shows = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, shows, 6);
      await shows.signal('TERM');
      await shows.ended();
      expect(stage.lives(agents['hung-up'])).toBe(true);
      writeSettings(stage, { ...quick, mode: 'enforce', unreachableAgents: 'end' });
      const ends = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('the hung-up agent is ended', () => !stage.lives(agents['hung-up']));
      await afterLooks(stage, ends, 4);
      await ends.signal('TERM');
      await ends.ended();
      expectUntouched(stage, innocents);
      expect(await history(stage)).toMatchObject([{ decidedBy: 'rule', outcome: 'reaped' }]);
    }, forLong),
  );
});

describe.concurrent('an agent that no user can reach beside leftovers of other sessions', () => {
  test(
    'it does not shield a leftover that began after it was seen out of reach and still',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, mode: 'enforce' });
      const agents = await setAgents(stage, ['hung-up-gemini']);
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, watch, 3);
      const later = await gemini(stage);
      const left = await later.shell('sleep 4321; true');
      await afterLooks(stage, watch, 2);
      await later.crash();
      await stage.first.signal(later.launcher.pid, 'KILL');
      await stage.until('the leftover of the later session is ended', () => !stage.lives(left));
      expectUntouched(stage, [bystander(stage, 'the agent out of reach', agents['hung-up-gemini'].pid)]);
      await watch.signal('TERM');
      await watch.ended();
    }),
  );

  test(
    'a leftover that is older than the first look at it may be its own, and stays',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, mode: 'enforce' });
      const agents = await setAgents(stage, ['hung-up-gemini']);
      const later = await gemini(stage);
      const left = await later.shell('sleep 4321; true');
      await later.crash();
      await stage.first.signal(later.launcher.pid, 'KILL');
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, watch, 6);
      await watch.signal('TERM');
      await watch.ended();
      expectUntouched(stage, [
        bystander(stage, 'a leftover that may be the agent’s', left.pid),
        bystander(stage, 'the agent out of reach', agents['hung-up-gemini'].pid),
      ]);
    }),
  );
});
