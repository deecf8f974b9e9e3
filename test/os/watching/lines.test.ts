import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type Line, lineSchema } from '../../../app/incident-lines/line.ts';
import { FakeClaude } from '../scene/claude.ts';
import { history, runCurfew, startCurfew } from '../scene/curfew.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { missingJournald, readJournal, startJournald } from '../scene/journald.ts';
import { livingSession } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';

const quick = { orphanGraceSeconds: 0, scanIntervalSeconds: 0.5, noticeSeconds: 1, backgroundKillGraceSeconds: 1 };
const secret = 'hunter2hunter2hunter2';
const leftover = `trap '' TERM; export PGPASSWORD=${secret}; sleep 3600 | cat; true`;

const linesIn = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => lineSchema().parse(JSON.parse(line)));

/** A leftover that is overdue at once, and its job's first process. */
const leave = async (stage: Scene): Promise<Awaited<ReturnType<FakeClaude['bash']>>> => {
  writeSettings(stage, quick);
  const claude = await FakeClaude.start(stage);
  const call = await claude.bash(leftover);
  await claude.crash();
  return call;
};

describe.concurrent('lines for collectors', () => {
  test(
    'on standard output: an announcement and an end, each one line of the schema, nothing else, and no secret; jq reads them',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const { shell } = await leave(stage);
      const watch = await startCurfew(stage, ['watch', '--enforce', '--incidents', 'stdout']);
      await stage.until('the leftover is gone', () => !stage.lives(shell));
      await stage.until('its end is told', () => watch.stdout().includes('curfew.job.ended'));
      await watch.signal('TERM');
      expect(await watch.ended()).toMatchObject({ code: 0 });
      expectUntouched(stage, innocents);
      const [incident] = await history(stage);
      const lines = linesIn(watch.stdout());
      expect(lines).toMatchObject([
        { 'event.name': 'curfew.job.noticed', 'process.pid': shell.pid, severity_text: 'INFO' },
        {
          'event.name': 'curfew.job.ended',
          'process.pid': shell.pid,
          'process.owner': 'root',
          'curfew.incident.id': incident?.id,
          'curfew.outcome': 'killed',
          'curfew.decided_by': 'rule',
        },
      ]);
      expect(watch.stdout()).not.toContain(secret);
      expect(watch.stdout()).toContain('PGPASSWORD=***');
      const past = await runCurfew(stage, ['history', '--format', 'otel']);
      expect(past.code).toBe(0);
      expect(linesIn(past.stdout)).toEqual(lines.slice(1));
      const jq = execFileSync('jq', ['-r', '."event.name" + " " + (."process.pid" | tostring)'], {
        input: watch.stdout(),
        encoding: 'utf8',
      });
      expect(jq).toBe(`curfew.job.noticed ${shell.pid}\ncurfew.job.ended ${shell.pid}\n`);
    }),
  );

  test(
    'a reader that is gone and a journal that is not there end nothing but the lines: the job is ended and on record',
    scene(async (stage) => {
      // A pipe without a reader, and a /run without a journald.
      const ways = [
        { where: 'stdout', said: 'EPIPE', options: { through: ['bash', '-c', 'exec "$@" > >(true)', 'closed'] } },
        { where: 'journald', said: '/run/systemd/journal/socket', options: {} },
      ];
      for (const { where, said, options } of ways) {
        const { shell } = await leave(stage);
        const watch = await startCurfew(stage, ['watch', '--enforce', '--incidents', where], options);
        await stage.until('the leftover is gone', () => !stage.lives(shell));
        await stage.until('the loss is told', () => watch.stderr().includes('could not be delivered'));
        await watch.signal('TERM');
        expect(await watch.ended()).toMatchObject({ code: 0 });
        expect(watch.stderr()).toContain(said);
      }
      expect((await history(stage)).map(({ outcome }) => outcome)).toEqual(['killed', 'killed']);
    }),
  );

  test.skipIf(missingJournald !== '')(
    `Debian's journald takes them, also what a command ends, and finds them by their fields${missingJournald === '' ? '' : ` (SKIPPED: no ${missingJournald})`}`,
    scene(async (stage) => {
      await startJournald(stage);
      const { shell } = await leave(stage);
      writeSettings(stage, { ...quick, incidentLines: 'journald' });
      const watch = await startCurfew(stage, ['watch', '--enforce']);
      await stage.until('the leftover is gone', () => !stage.lives(shell));
      await watch.signal('TERM');
      expect(await watch.ended()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('deliver') as unknown });
      const other = await leave(stage);
      writeSettings(stage, { ...quick, incidentLines: 'journald' });
      expect(await runCurfew(stage, ['reap', '--max-age', '0'])).toMatchObject({ code: 0 });
      const ended = await readJournal(stage, 'EVENT_NAME=curfew.job.ended', 'CURFEW_OUTCOME=killed');
      expect(ended).toMatchObject([
        { PROCESS_PID: String(shell.pid), PRIORITY: '6', CURFEW_DECIDED_BY: 'rule' },
        { PROCESS_PID: String(other.shell.pid), PRIORITY: '6', CURFEW_DECIDED_BY: 'command' },
      ]);
      for (const { CURFEW_LINE: line, MESSAGE: message } of ended)
        expect(lineSchema().parse(JSON.parse(String(line))).body).toBe(message);
      expect(JSON.stringify(await readJournal(stage))).not.toContain(secret);
    }),
  );
});
