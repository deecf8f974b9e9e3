// node build/scripts/worlds-page.ts [REPORT]…: adds reports of `npm run test:safety`, and of other
// programs in the same worlds, to test/safety/measured.json, and writes
// docs/records/random-worlds.md of it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const measuredFile = join(root, 'test/safety/measured.json');

const count = z.int().nonnegative();
const of = z.object({ worlds: count, processesDue: count, processesThatMustLive: count, signals: count });
const common = z.object({ at: z.string(), commit: z.string().default(''), about: z.string(), worlds: count });
const ofCurfew = common.extend({
  seed: z.int(),
  lanes: count,
  load: z.array(z.number()),
  processesDue: count,
  processesThatMustLive: count,
  signals: count,
  pidsRecycled: count,
  changesBetweenSteps: count,
  stagesNotSet: count,
  endedAtSecondTry: count,
  broken: count,
  by: z.object({ local: of, remote: of, run: of }),
  /** What was found of worlds that broke, by whom it was traced. */
  note: z.string().optional(),
});
const ofPeer = common.extend({
  command: z.string(),
  processesThatMustLive: count,
  gotASignal: count,
  processesInDoubt: count,
  endedInDoubt: count,
  processesDue: count,
  left: count,
  hit: z.record(z.string(), count),
});
const measured = z.object({ curfew: z.array(ofCurfew), peers: z.array(ofPeer) });
type Measured = z.infer<typeof measured>;

const number = (value: number): string => value.toLocaleString('en-US');
const day = (at: string): string => at.slice(0, 10);
const sum = <One>(all: readonly One[], part: (one: One) => number): number =>
  all.reduce((total, one) => total + part(one), 0);

const curfewRow = (one: Measured['curfew'][number]): string =>
  `| ${day(one.at)} | ${one.commit} | ${one.about} | ${one.seed} | ${number(one.worlds)} | ${number(one.processesDue)} | ${number(one.processesThatMustLive)} | ${number(one.signals)} | ${one.pidsRecycled} | ${one.changesBetweenSteps} | ${one.broken} |`;

const peerRow = (one: Measured['peers'][number]): string =>
  `| \`${one.command.replaceAll('|', String.raw`\|`)}\` | ${one.about} | ${one.worlds} | ${one.gotASignal} of ${number(one.processesThatMustLive)} | ${one.left} of ${number(one.processesDue)} | ${one.endedInDoubt} of ${one.processesInDoubt} |`;

/** Returns docs/records/random-worlds.md, before it is formatted. */
const page = ({ curfew, peers }: Measured): string => {
  const by = (['local', 'remote', 'run'] as const).map((who) => sum(curfew, (one) => one.by[who].worlds));
  const notes = curfew.flatMap(({ at, seed, note }) =>
    note === undefined ? [] : [`- ${day(at)}, seed ${seed}: ${note}`],
  );
  const hits = peers.flatMap(({ command, about, hit }) =>
    Object.entries(hit).map(([what, times]) => `- \`${command}\`, ${about}: ${what} (${times})`),
  );
  return `# Random worlds: the record

Written by \`node build/scripts/worlds-page.ts\` from the reports of \`npm run test:safety\`
(\`test/safety/measured.json\`). What the worlds are is said in [beside other tools](../comparison.md). A world is broken
when an innocent was touched, the record is wrong, or something due lives on in two plays; that stops its lane.

In all ${number(sum(curfew, ({ worlds }) => worlds))} worlds: ${by[0]} ended by \`reap\` or \`watch\`, ${by[1]} over SSH, ${by[2]} of supervised runs.
${number(sum(curfew, ({ processesDue }) => processesDue))} processes due, ${number(sum(curfew, ({ processesThatMustLive }) => processesThatMustLive))} that must live, ${number(sum(curfew, ({ signals }) => signals))} signals, ${sum(curfew, ({ broken }) => broken)} broken.

| day | commit | about | seed | worlds | due | must live | signals | pids given again | changes meanwhile | broken |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${curfew.map(curfewRow).join('\n')}

${notes.join('\n')}

## Other programs in the same worlds

| command | about | worlds | innocents that got a signal | due, and left | in doubt, and ended |
| --- | --- | --- | --- | --- | --- |
${peers.map(peerRow).join('\n')}

${hits.length === 0 ? '' : `What got a signal:\n\n${hits.join('\n')}\n`}`;
};

const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const known = measured.parse(JSON.parse(readFileSync(measuredFile, 'utf8')));
for (const path of process.argv.slice(2)) {
  const report = z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')));
  const whole = { commit, ...report };
  if ('command' in whole) known.peers.push(ofPeer.parse(whole));
  else known.curfew.push(ofCurfew.parse(whole));
}
writeFileSync(measuredFile, `${JSON.stringify(known, null, 2)}\n`);
writeFileSync(join(root, 'docs/records/random-worlds.md'), page(known));
