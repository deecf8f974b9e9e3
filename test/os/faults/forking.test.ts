import { describe, expect, test } from 'vitest';
import { reapOrphans } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectUntouched, type Innocent } from '../scene/innocents.ts';
import { livingSession } from '../scene/outcome.ts';
import type { Row } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Jobs that fork faster than anybody looks. Whatever comes of them, it ends, harms nobody else, and the record is true. */

/** Two that watch each other: who dies is started again, in a session of its own. */
const pair = `
  use POSIX ();
  my $other = 0;
  sub again { my $me = $$; my $pid = fork() // exit 1; if ($pid) { $other = $pid } else { POSIX::setsid(); $other = $me } }
  again();
  $SIG{CHLD} = 'IGNORE';
  while (1) { select(undef, undef, undef, 0.05); again() unless kill 0, $other }`;

/** Deaf to TERM; two hundred short-lived children a second. */
const storm = `
  $SIG{TERM} = 'IGNORE'; $SIG{CHLD} = 'IGNORE';
  while (1) { my $pid = fork() // next; if (!$pid) { select(undef, undef, undef, 0.3); exit } select(undef, undef, undef, 0.005) }`;

/** Never the same process for longer than a moment: it forks and exits, and forks and exits. The second lives for less than a look. */
const comet = `while (1) { my $pid = fork() // next; exit if $pid; select(undef, undef, undef, 0.2) }`;
const meteor = `while (1) { my $pid = fork() // next; exit if $pid; select(undef, undef, undef, 0.02) }`;

const tail = (row: Row, script: string): boolean => row.argv.includes(script);

const orphaned = async (stage: Scene, script: string): Promise<readonly Innocent[]> => {
  const innocents = await livingSession(stage);
  const claude = await FakeClaude.start(stage);
  stage.write(
    `${claude.project}/${script}`,
    { 'pair.pl': pair, 'storm.pl': storm, 'comet.pl': comet, 'meteor.pl': meteor }[script] ?? '',
  );
  await claude.bash(`perl ${script}; sleep 3600`);
  await stage.find(script, (row) => tail(row, script));
  await claude.crash();
  return innocents;
};

const left = (stage: Scene, script: string): number =>
  stage.table().filter((row) => tail(row, script) && row.state !== 'Z').length;

describe.concurrent('a job that forks all the while', () => {
  for (const script of ['pair.pl', 'storm.pl']) {
    test(
      `${script}: all of it is gone in one pass, and nobody else`,
      scene(async (stage) => {
        const innocents = await orphaned(stage, script);
        const { incidents } = await reapOrphans(stage);
        expect(incidents).toMatchObject([{ survivors: [] }]);
        expect(['reaped', 'killed']).toContain(incidents[0]?.outcome);
        expect(left(stage, script)).toBe(0);
        expectUntouched(stage, innocents);
      }),
    );
  }

  for (const script of ['comet.pl', 'meteor.pl'])
    test(
      `${script}: the pass ends; gone is only said when it is, and what is left is found again`,
      scene(async (stage) => {
        const innocents = await orphaned(stage, script);
        const { incidents } = await reapOrphans(stage);
        // None, where no two looks in a row saw the same of it.
        const over =
          incidents.length > 0 && incidents.every(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
        expect(over ? left(stage, script) : 0).toBe(0);
        await stage.until('what goes on is seen again', () => over || left(stage, script) > 0);
        expectUntouched(stage, innocents);
      }),
    );
});
