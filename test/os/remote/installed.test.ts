import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { curfewFile, jobWith, oneDocument } from '../scene/curfew.ts';
import { scanDocument } from '../scene/schemas.ts';
import { z } from 'zod';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const program = '/tmp/scene/farpath/curfew';
/** The far path has a curfew; every call is recorded. */
const forced = 'env PATH=/tmp/scene/farpath:/usr/local/bin:/usr/bin:/bin sh';

const install = ({ stage }: FarMachine, version: string): void => {
  stage.write(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$*" >>/tmp/scene/calls\n[ "$1" = --version ] && { echo '${version}'; exit 0; }\nexec '${process.execPath}' '${curfewFile}' "$@"\n`,
    0o755,
  );
};

const calls = ({ stage }: FarMachine): string => (stage.has('/tmp/scene/calls') ? stage.read('/tmp/scene/calls') : '');
const own = async (machine: FarMachine): Promise<string> => (await machine.run(['--version'])).stdout.trim();

const scan = async (machine: FarMachine): Promise<Pick<z.infer<typeof scanDocument>, 'jobs'>> =>
  scanDocument
    .extend({ host: z.literal('web1') })
    .parse(oneDocument(await machine.run(['scan', '--json', '--host', 'web1'])));

describe.skipIf(missing !== null)(`a machine with its own Curfew ${skipped}`, () => {
  test(
    'is scanned and reaped by its own Curfew, and a copy of its record is kept here',
    far(
      async (machine) => {
        const { stage } = machine;
        install(machine, await own(machine));
        const claude = await FakeClaude.start(stage);
        const call = await claude.bash('sleep 7777 | cat');
        await claude.crash();
        const job = jobWith(await scan(machine), call.shell.pid);
        expect(calls(machine)).toContain('scan --json');
        expect((await machine.run(['scan', '--host', 'web1'])).stdout).toContain(job.id);

        const state = async (): Promise<string> => jobWith(await scan(machine), call.shell.pid).verdict.state;
        expect((await machine.run(['keep', job.id, '--for', '10m', '--host', 'web1'])).code).toBe(0);
        expect(calls(machine)).toContain(`keep --for=600s ${job.id}`);
        expect(await state()).toBe('kept');
        expect((await machine.run(['unkeep', job.id, '--host', 'web1'])).code).toBe(0);
        expect(await state()).not.toBe('kept');

        const unknown = await machine.run(['reap', '--host', 'web1', '--job', 'ffffffff']);
        expect(unknown).toMatchObject({ code: 2, stdout: '' });
        const dry = await machine.run(['reap', '--json', '--dry-run', '--max-age', '0s', '--host', 'web1']);
        expect(JSON.parse(dry.stdout)).toMatchObject({ host: 'web1', dryRun: true, incidents: [{ job: job.id }] });
        expect(stage.lives(call.shell)).toBe(true);

        const run = await machine.run(['reap', '--json', '--max-age', '0s', '--grace', '60s', '--host', 'web1']);
        expect(run.code).toBe(0);
        expect(JSON.parse(run.stdout)).toMatchObject({
          host: 'web1',
          dryRun: false,
          incidents: [{ job: job.id, host: 'web1', outcome: 'reaped', survivors: [] }],
        });
        expect(calls(machine)).toContain('reap --json --max-age=0s --grace=60s');
        expect(stage.lives(call.shell)).toBe(false);
        const here = JSON.parse((await machine.run(['history', '--json', '--host', 'web1'])).stdout) as unknown;
        expect(here).toMatchObject({ incidents: [{ job: job.id, outcome: 'reaped' }] });
        expect(stage.has('/tmp/home/.local/state/curfew/history.db')).toBe(true);
      },
      { forced },
    ),
  );

  test(
    'with an incompatible release its Curfew is not used: the scan from here is',
    far(
      async (machine) => {
        install(machine, '99.0.0');
        const claude = await FakeClaude.start(machine.stage);
        const call = await claude.bash('sleep 7777 | cat');
        expect(jobWith(await scan(machine), call.shell.pid).owner).toBe('live');
        expect(calls(machine)).not.toContain('scan');
      },
      { forced },
    ),
  );
});
