// node build/scripts/hostile-page.ts: writes docs/records/hostile-users.md from what
// `npm run test:hostile` measured (test/os/all-users/measured.json).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const count = z.int().nonnegative();
const measured = z.object({
  at: z.string(),
  hostileSeconds: z.number(),
  processes: z.record(z.string(), count),
  endedAfter: z.array(z.number()).min(1),
  children: z.record(z.string(), count),
  silentChildrenKilled: count,
  serviceMegabytes: count,
  serviceEndedAfter: z.number(),
  load: z.number(),
  niceness: z.int(),
  controllers: z.string(),
});

const what: Readonly<Record<string, string>> = {
  alice: 'works with an agent whose leftovers are to be ended',
  staller: 'has a process whose memory makes each reader wait for ever',
  stopper: 'stops every process that it may, 500 times a second',
  forker: 'has processes with 240 kB of arguments',
  filler: 'puts pipes, links and devices where Curfew’s files lie, and fills its disk',
  mounter: 'mounts thousands of times in namespaces of its own',
};

const run = measured.parse(JSON.parse(readFileSync(join(root, 'test/os/all-users/measured.json'), 'utf8')));
const sorted = run.endedAfter.toSorted((one, other) => one - other);
const middle = sorted[Math.floor(sorted.length / 2)];
const rows = Object.entries(run.children).map(
  ([user, started]) => `| ${user} | ${what[user] ?? ''} | ${run.processes[user] ?? ''} | ${started} |`,
);
writeFileSync(
  join(root, 'docs/records/hostile-users.md'),
  `# Hostile users beside the service for all: the record

Written by \`npm run test:hostile\` on ${run.at.slice(0, 10)}: one service, ${rows.length} users, ${Math.round(run.hostileSeconds)} s.

| user | what it does | most processes at a look | times that its Curfew was started |
| --- | --- | --- | --- |
${rows.join('\n')}

${sorted.length} leftovers of the honest user were ended, all of them; from the end of its agent to the death of what it left
${middle} s in the middle, ${sorted.at(-1)} s at most, at a load of ${run.load} on two cores at the end, the service and all
users with a niceness of ${run.niceness}. The service took ${run.serviceMegabytes} MB at most,
killed ${run.silentChildrenKilled} children without a sign of life, and ended ${run.serviceEndedAfter} s after it was asked to, beside stopped ones.

Controllers of version 2 on this machine: ${run.controllers}. Without \`memory\` and \`pids\` no user has a limit, so none of
this rests on one; limits were not seen at work.
`,
);
