import { existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { curfewFile, jobWith, oneDocument, reap, runCurfew, scan } from '../scene/curfew.ts';
import { scene, type Scene } from '../scene/scene.ts';

const document = z.object({ schema: z.literal(1), path: z.string().nullable(), text: z.string() });

/** In commands, in a project's name, in the settings. */
const secrets = ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'hunter2hunter2', 'correcthorsebattery'];

/** A machine with a job and an ended one, both with secrets in their commands. */
const prepared = async (stage: Scene): Promise<void> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/shop` });
  const [token = '', password = '', other = ''] = secrets;
  const calls = [
    await claude.bash(
      `: curl -H "Authorization: Bearer ${token}" https://bob:${password}@web1.example.org/; sleep 3600 | cat`,
    ),
    await claude.bash(`DB_PASSWORD=${other} sleep 3601 | cat`),
  ];
  const { id } = jobWith(await scan(stage), calls[1]?.shell.pid ?? 0);
  await reap(stage, ['--job', id, '--grace', '60s']);
  expect(await runCurfew(stage, ['settings', 'set', 'hosts', 'carol@web1.example.org'])).toMatchObject({ code: 0 });
};

describe.concurrent('curfew report', () => {
  test(
    'holds versions, settings, doctor, scan and history, and nothing of who and where',
    scene(async (stage) => {
      await prepared(stage);
      const { text, path } = document.parse(oneDocument(await runCurfew(stage, ['report', '--json'])));
      expect(path).toBeNull();
      for (const title of ['Versions', 'Settings that were changed', 'curfew doctor', 'curfew scan', 'curfew history'])
        expect(text).toContain(`## ${title}`);
      expect(text).not.toContain('could not be made');
      for (const part of ['sleep 3600 | cat', 'sleep 3601 | cat', 'TERM sent to', 'pidfd', '~/shop', 'HOST-'])
        expect(text).toContain(part);
      for (const part of [...secrets, stage.home, 'web1', 'carol']) expect(text).not.toContain(part);
    }),
  );

  test(
    'is shown and not written without a terminal, written with --yes, and never over another file',
    scene(async (stage) => {
      const shown = await runCurfew(stage, ['report', '--output', '/tmp/scene/report.md']);
      expect(shown).toMatchObject({ code: 0 });
      expect(shown.stdout).toContain('# Curfew report of');
      expect(shown.stderr).toContain('nothing was written');
      expect(existsSync(stage.outside('/tmp/scene/report.md'))).toBe(false);

      const written = await runCurfew(stage, ['report', '--output', '/tmp/scene/report.md', '--yes']);
      expect(written).toMatchObject({ code: 0 });
      expect(stage.read('/tmp/scene/report.md')).toBe(written.stdout);
      expect(statSync(stage.outside('/tmp/scene/report.md')).mode & 0o777).toBe(0o600);

      const again = await runCurfew(stage, ['report', '--output', '/tmp/scene/report.md', '--yes']);
      expect(again).toMatchObject({ code: 1 });
      expect(again.stderr).toContain('stays as it is');
      expect(stage.read('/tmp/scene/report.md')).toBe(written.stdout);
    }),
  );

  test(
    'asks on a terminal; a no writes nothing',
    scene(async (stage) => {
      for (const [answer, written] of [
        ['n', false],
        ['y', true],
      ] as const) {
        const file = `/tmp/scene/report-${answer}.md`;
        const inner = `'${process.execPath}' '${curfewFile}' report --output ${file}`;
        // script(1) gives it a terminal, and hands on what it reads itself.
        const command = `echo ${answer} | script -qec "${inner}" /dev/null`;
        const pid = await stage.top.start({
          file: '/bin/sh',
          argv: ['sh', '-c', command],
          env: { ...stage.userEnvironment(), CURFEW_HOME: '/tmp/curfew-home', TERM: 'dumb' },
          setsid: true,
        });
        await stage.top.ended(pid);
        expect({ answer, exists: existsSync(stage.outside(file)) }).toEqual({ answer, exists: written });
      }
    }),
  );
});
