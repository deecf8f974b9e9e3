import { describe, expect, test } from 'vitest';
import { reapOrphans } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectUntouched, type Innocent } from '../scene/innocents.ts';
import { livingSession } from '../scene/outcome.ts';
import type { Row } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';

/**
 * Jobs that fork faster than scans. They end, no other process is harmed, and the record is true.
 */

/** Two processes that watch each other: each restarts the other in a new session. */
const pair = `
  use POSIX ();
  my $other = 0;
  sub again { my $me = $$; my $pid = fork() // exit 1; if ($pid) { $other = $pid } else { POSIX::setsid(); $other = $me } }
  again();
  $SIG{CHLD} = 'IGNORE';
  while (1) { select(undef, undef, undef, 0.05); again() unless kill 0, $other }`;

/** Ignores TERM; two hundred short-lived children a second. */
const storm = `
  $SIG{TERM} = 'IGNORE'; $SIG{CHLD} = 'IGNORE';
  while (1) { my $pid = fork() // next; if (!$pid) { select(undef, undef, undef, 0.3); exit } select(undef, undef, undef, 0.005) }`;

/**
 * A chain of short-lived processes: each forks and exits. The second one lives for less than a
 * scan.
 */
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

describe.concurrent('a job that forks continuously', () => {
  for (const script of ['pair.pl', 'storm.pl']) {
    test(
      `${script}: one pass ends all of it and nothing else`,
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
        // None if no two consecutive scans saw the same process of it.
        const over =
          incidents.length > 0 && incidents.every(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
        expect(over ? left(stage, script) : 0).toBe(0);
        await stage.until('what goes on is seen again', () => over || left(stage, script) > 0);
        expectUntouched(stage, innocents);
      }),
    );
});
