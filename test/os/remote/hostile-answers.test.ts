import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { pinned } from '../scene/outcome.ts';
import { scanDocument } from '../scene/schemas.ts';
import { z } from 'zod';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const program = '/tmp/scene/hostile';
const forced = `/bin/sh ${program}`;
const token = `t=$(sed -n 's/^curfew_answer \\([0-9a-f]*\\) .*/\\1/p')\n`;

/** Answers that a machine may give instead of the requested one. */
const answers: Readonly<Record<string, { readonly script: string; readonly said: string }>> = {
  'noise instead of an answer': { script: 'cat >/dev/null; head -c 300000 /dev/urandom', said: 'no answer' },
  'more than Curfew reads': { script: 'cat >/dev/null; head -c 90000000 /dev/zero', said: 'longer than' },
  'an answer that breaks off': { script: `${token}printf '%s begin 1\\0#head\\0system=Li' "$t"`, said: 'broke off' },
  'another version': { script: `${token}printf '%s begin 7\\0%s end\\0' "$t" "$t"`, said: 'form' },
  'a head that makes no sense': {
    script: `${token}printf '%s begin 1\\0#head\\0system=Linux\\0uid=-1\\0%s end\\0' "$t" "$t"`,
    said: 'no sense',
  },
  'two of the same part': {
    script: `${token}printf '%s begin 1\\0#head\\0#head\\0%s end\\0' "$t" "$t"`,
    said: 'two parts',
  },
  'control characters': {
    script: `${token}printf '%s begin 1\\0#unable\\0\\033[2J\\033]0;gone\\007\\n\\r\\342\\200\\256evil\\0%s end\\0' "$t" "$t"`,
    said: 'evil',
  },
  'the end before the beginning': { script: `${token}printf '%s end\\0%s begin 1\\0' "$t" "$t"`, said: 'broke off' },
};

/** True answers, edited: a perl program over the whole answer. */
const edited = (edit: string): string => `cat >/tmp/scene/asked; sh </tmp/scene/asked | perl -0777 -pe '${edit}'`;

const scan = async (machine: FarMachine): Promise<Pick<z.infer<typeof scanDocument>, 'jobs'>> =>
  scanDocument
    .extend({ host: z.literal('web1') })
    .parse(oneDocument(await machine.run(['scan', '--json', '--all', '--host', 'web1'])));

describe.skipIf(missing !== null)(`a machine with forged answers ${skipped}`, () => {
  test(
    'is refused in one line without control characters, and no conclusion is drawn',
    far(
      async (machine) => {
        for (const [what, { script, said }] of Object.entries(answers)) {
          machine.stage.write(program, script);
          const { code, stdout, stderr } = await machine.run(['scan', '--json', '--host', 'web1']);
          expect({ what, code, stdout }).toEqual({ what, code: 1, stdout: '' });
          expect(stderr, `said of ${what}`).toContain(said);
          // oxlint-disable-next-line no-control-regex -- that is what must not be there
          expect(stderr.trimEnd(), `said of ${what}`).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/u);
        }
      },
      { forced },
    ),
  );

  test(
    'a claim that process 1 is a tool shell is rejected, and the answering shell gets a veto',
    far(
      async (machine) => {
        const { stage } = machine;
        const claude = await FakeClaude.start(stage);
        const call = await claude.bash('sleep 7777 | cat');
        await claude.crash();
        const { pid } = call.shell;
        stage.write(
          program,
          edited(
            `s{/proc/1/[^\\0]*\\0}{}g; s{/proc/${pid}/stat:${pid} }{/proc/1/stat:1 }g; s{/proc/${pid}(?=[/\\n\\0])}{/proc/1}g`,
          ),
        );
        const members = (await scan(machine)).jobs.flatMap((job) => job.members.map((member) => member.pid));
        expect(members).not.toContain(1);

        stage.write(program, edited(`s{self=\\d+}{self=${pid}}`));
        const job = jobWith(await scan(machine), pid);
        expect(job.vetoes.map(({ code }) => code)).toContain('curfew');
        const run = await machine.run(['reap', '--json', '--host', 'web1', '--job', job.id]);
        expect(run.code).toBe(1);
        expect(JSON.parse(run.stdout)).toMatchObject({ incidents: [{ outcome: 'spared', signals: [] }] });
        expect(stage.lives(call.shell)).toBe(true);
      },
      { forced },
    ),
  );

  test(
    'pids that no kernel assigns are refused',
    far(
      async (machine) => {
        machine.stage.write(program, edited('s{/proc/1/}{/proc/99999999/}g'));
        const { code, stderr } = await machine.run(['scan', '--json', '--host', 'web1']);
        expect(code).toBe(1);
        expect(stderr).toContain('no kernel');
      },
      { forced },
    ),
  );

  test(
    'a process that was replaced between the scan and the signal is spared',
    far(
      async (machine) => {
        const { stage } = machine;
        const claude = await FakeClaude.start(stage);
        const call = await claude.bash('exec sleep 7777');
        await pinned(stage, 'sleep 7777');
        stage.write(program, edited(''));
        await scan(machine);
        await claude.crash();
        // The scanned process differs from the one at the time of the signal.
        stage.write(program, edited('s{cmdline:7777}{cmdline:7778}g'));
        const run = await machine.run(['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '0s']);
        const { incidents } = z
          .object({
            incidents: z.array(
              z.looseObject({ signals: z.array(z.object({ pids: z.array(z.number()), result: z.string() })) }),
            ),
          })
          .parse(JSON.parse(run.stdout));
        const results = incidents.flatMap(({ signals }) => signals).filter(({ pids }) => pids.includes(call.shell.pid));
        expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['vetoed']));
        expect(stage.lives(call.shell)).toBe(true);
      },
      { forced },
    ),
  );
});
