import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { environmentNames } from '../../../app/agents/signatures.ts';
import { inWordsOfKeys } from '../../../app/format/said.ts';
import { asPid } from '../../../app/process/identity.ts';
import { type AnswerSections, parseAnswer } from '../../../app/remote/answer.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { namesExpression, signalLines, signalResults } from '../../../main/remote/answers/signals.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';
import { lookScript, signalScript } from '../../../main/remote/scripts/scripts.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { reapDocument, scanDocument } from '../scene/schemas.ts';
import { type Habit, ServingAgent, type ServerStyle } from '../scene/servers.ts';
import { far, type FarMachine, type FarShell, missing, skipped } from './far-machine.ts';

const web1 = { host: z.literal('web1') };

const scan = async (machine: FarMachine, ...more: readonly string[]) =>
  scanDocument.extend(web1).parse(oneDocument(await machine.run(['scan', '--json', '--host', 'web1', ...more])));

const reap = async (machine: FarMachine, ...more: readonly string[]) => {
  const args = ['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '1s', ...more];
  return reapDocument.extend(web1).parse(oneDocument(await machine.run(args)));
};

/** Fails if a pass over there touches anything of a server; gives why it stays. */
const reasonsOf = async (machine: FarMachine, pid: number, servers: readonly number[]): Promise<readonly string[]> => {
  const { stage } = machine;
  const left = servers.map((one) => bystander(stage, 'a server that is left alone', one));
  const job = jobWith(await scan(machine, '--all'), pid);
  expect({ kind: job.kind, action: job.verdict.action }, `found as ${JSON.stringify(job, null, 1)}`).toEqual({
    kind: 'server',
    action: 'none',
  });
  expect((await reap(machine)).incidents).toEqual([]);
  expect((await reap(machine, '--kind', 'server')).incidents).toEqual([]);
  expectUntouched(stage, left);
  return job.verdict.reasons.map(({ code, figures = {} }) => `${code} ${figures['why'] ?? ''}`.trim());
};

describe.skipIf(missing !== null)(`servers of sessions on another machine ${skipped}`, () => {
  const ended: readonly (readonly [ServerStyle, Habit, FarShell])[] = [
    ['claude', 'wrapped', 'busybox'],
    ['claude', 'stubborn', 'dash'],
    ['copilot', 'stubborn', 'busybox'],
    ['gemini', 'deaf', 'dash'],
    ['opencode', 'wrapped', 'dash'],
    ['claude', 'browser', 'dash'],
  ];
  for (const [style, habit, shell] of ended)
    test.concurrent(
      `${style}, ${habit}, ${shell}: one that a look saw, and whose session was killed, is ended, that of a living session stays`,
      far(
        async (machine) => {
          const { stage } = machine;
          const living = await ServingAgent.start(stage, style);
          const kept = await living.serve('wrapped');
          const innocents = [
            bystander(stage, 'a living agent', living.actor.pid),
            ...living.tree(kept.pid).map(({ pid }) => bystander(stage, 'the server of a living session', pid)),
          ];
          const agent = await ServingAgent.start(stage, style);
          const { pid } = await agent.serve(habit);
          const processes = agent.tree(pid);
          await scan(machine);
          await agent.crash();
          const look = await scan(machine, '--all');
          const job = jobWith(look, pid);
          expect(
            { kind: job.kind, owner: job.owner, state: job.verdict.state, members: job.members.length },
            `found as ${JSON.stringify(job, null, 1)}`,
          ).toEqual({ kind: 'server', owner: 'gone', state: 'orphaned', members: processes.length });
          expect(job.verdict.reasons.map(({ code }) => code)).toContain('closed-ends');
          expect(jobWith(look, kept.pid)).toMatchObject({ kind: 'server', owner: 'live' });

          const { incidents } = await reap(machine);
          expect(incidents, `found as ${JSON.stringify(incidents, null, 1)}`).toMatchObject([
            { job: job.id, survivors: [], outcome: habit === 'stubborn' ? 'killed' : 'reaped' },
          ]);
          const { signals = [] } = incidents[0] ?? {};
          expect(signals.map(({ signal }) => signal)).toEqual([
            ...processes.map(() => 'TERM'),
            ...(habit === 'stubborn' ? ['KILL'] : []),
          ]);
          expectGone(stage, processes);
          expectUntouched(stage, innocents);
        },
        { shell },
      ),
    );

  const shown: readonly (readonly [ServerStyle, Habit, string])[] = [
    ['claude', 'work', 'server-reported works'],
    ['gemini', 'listen', 'server-reported listens'],
    ['claude', 'headed', 'server-reported connected'],
    ['claude-2.0', 'deaf', 'server-reported weak-mark'],
  ];
  for (const [style, habit, reason] of shown)
    test.concurrent(
      `${style}, ${habit}: one of a dead session is only shown`,
      far(async (machine) => {
        const agent = await ServingAgent.start(machine.stage, style);
        const { pid } = await agent.serve(habit);
        const servers = agent.tree(pid).map((one) => one.pid);
        await agent.crash();
        expect(await reasonsOf(machine, pid, servers)).toContain(reason);
      }),
    );

  for (const [style, program] of [
    ['opencode', 'ss'],
    ['copilot', 'perl'],
  ] as const)
    test.concurrent(
      `${style}: without ${program} over there its ends are unknown, and it is only shown`,
      far(async (machine) => {
        await machine.once(`mount --bind /dev/null "$(readlink -f /usr/bin/${program})"`);
        const agent = await ServingAgent.start(machine.stage, style);
        const { pid } = await agent.serve('deaf');
        await scan(machine);
        await agent.crash();
        expect(await reasonsOf(machine, pid, [pid])).toContain('server-reported ends-unknown');
      }),
    );

  test.concurrent(
    'codex: a server without marks is ended where an earlier look saw it below its agent',
    far(async (machine) => {
      const { stage } = machine;
      const agent = await ServingAgent.start(stage, 'codex');
      const server = await agent.serve('deaf');
      await scan(machine);
      await agent.crash();
      const job = jobWith(await scan(machine), server.pid);
      expect(job).toMatchObject({ kind: 'server', owner: 'gone', verdict: { state: 'orphaned' } });
      expect((await reap(machine)).incidents).toMatchObject([{ survivors: [] }]);
      expectGone(stage, [server]);
    }),
  );

  test.concurrent(
    'an end that is said to be closed is asked for again over there, immediately before the signal',
    far(async (machine) => {
      const { stage } = machine;
      const ask = async (script: string, lines: readonly string[]): Promise<AnswerSections> => {
        const path = stage.write(
          '/tmp/scene/question.sh',
          `${script}\ncurfew_answer token <<'EOF'\n${lines.join('\n')}\nEOF\n`,
        );
        await machine.once(`dash ${path} >/tmp/scene/answer`);
        const answer = parseAnswer(stage.read('/tmp/scene/answer'), 'token');
        if (!answer.ok) throw new Error(inWordsOfKeys(answer.problem));
        return answer.sections;
      };
      const names = namesExpression(environmentNames);
      const agent = await ServingAgent.start(stage, 'claude');
      const { pid, start } = await agent.serve('deaf');
      const observed = observationIn(await ask(lookScript, [`names ${names}`, 'end']));
      if (typeof observed === 'string') throw new Error(observed);
      const source = new RemoteSource(observed.head, environmentNames);
      source.take(observed, 0);
      const { boot: id, namespace, uid, way } = observed.head;
      const order = {
        to: 'process',
        signal: 'TERM',
        process: { bootId: source.bootId, pid: asPid(pid), startTicks: Number(start) },
      } as const;
      const judged = source.channels?.().of(pid)?.held ?? [];
      expect(judged.map(({ far: end }) => end)).toContain('open');
      const ends = judged.filter(({ kind }) => kind === 'pair').map(({ fd, end }) => `${fd} rwx ${end} closed\u001F`);
      const pipes = judged
        .filter(({ kind }) => kind === 'pipe')
        .map(({ fd, end }) => `${fd} -wx ${end.split(' ')[0]} other\u001F`);
      const lines = signalLines({ way, id, namespace, uid, names }, [order], source.reader(), () =>
        [...ends, ...pipes].join(''),
      );
      const signal = async () => signalResults(await ask(signalScript, [...lines, 'end']), [order]);
      expect(await signal()).toEqual({ results: [{ to: 'process', pid, result: 'changed' }], refused: null });
      expect(stage.lives({ pid, start })).toBe(true);
      await agent.crash();
      expect(await signal()).toEqual({ results: [{ to: 'process', pid, result: 'sent' }], refused: null });
      await stage.until('it has ended', () => !stage.lives({ pid, start }));
    }),
  );
});
