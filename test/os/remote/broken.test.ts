import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { oneDocument } from '../scene/curfew.ts';
import { pinned } from '../scene/outcome.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const incidentSchema = z.looseObject({
  id: z.string(),
  outcome: z.string().nullable(),
  signals: z.array(z.looseObject({ signal: z.string(), pids: z.array(z.number()), result: z.string() })),
  freed: z.looseObject({ processes: z.number() }),
});

const history = async (machine: FarMachine): Promise<readonly z.infer<typeof incidentSchema>[]> =>
  z
    .object({ incidents: z.array(incidentSchema) })
    .parse(oneDocument(await machine.run(['history', '--json', '--host', 'web1']))).incidents;

/** A job that logs TERM and keeps running. */
const deaf = async (machine: FarMachine) => {
  const claude = await FakeClaude.start(machine.stage);
  const call = await claude.bash("trap 'echo heard >/tmp/heard' TERM; while :; do sleep 7777; done");
  await pinned(machine.stage, 'sleep 7777');
  await claude.crash();
  return call;
};

/** One pass of reaping with this grace period. */
const passWith = (grace: string): readonly string[] => {
  const selection = ['--host', 'web1', '--max-age', '0s'];
  return ['reap', '--json', ...selection, '--grace', grace];
};

describe.skipIf(missing !== null)(`sshd killed in the middle of a reaping ${skipped}`, () => {
  test(
    'and back a moment later: the reaping continues, is complete, and claims only what was observed',
    far(async (machine) => {
      const { stage } = machine;
      const call = await deaf(machine);
      const run = machine.start(passWith('4s'));
      await stage.until('TERM was heard', () => stage.has('/tmp/heard'));
      await machine.killSshd();
      await machine.startSshd();
      const { code, stdout } = await run.ended;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ incidents: [{ outcome: 'killed', survivors: [] }] });
      expect(stage.lives(call.shell)).toBe(false);
    }),
  );

  test(
    'with Curfew killed too: a later scan completes the record as interrupted, and the job is ended again',
    far(async (machine) => {
      const { stage } = machine;
      const call = await deaf(machine);
      const run = machine.start(passWith('300s'));
      await stage.until('TERM was heard', () => stage.has('/tmp/heard'));
      await machine.killSshd();
      run.end();
      expect((await run.ended).stdout).toBe('');
      expect(await history(machine)).toMatchObject([{ outcome: null, freed: { processes: 0 } }]);
      // A Curfew that scans only this machine doesn't know about it, and leaves the record alone.
      await machine.run(['reap', '--json', '--max-age', '0s']);
      expect(await history(machine)).toMatchObject([{ outcome: null }]);
      expect(stage.lives(call.shell)).toBe(true);

      await machine.startSshd();
      expect((await machine.run(passWith('1s'))).code).toBe(0);
      const [latest, first] = await history(machine);
      expect(first).toMatchObject({ outcome: 'interrupted', freed: { processes: 0 } });
      expect(latest).toMatchObject({ outcome: 'killed' });
      expect(stage.lives(call.shell)).toBe(false);
    }),
  );
});
