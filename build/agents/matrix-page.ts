import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What `npm run test:agents` measured; its full schema is test/os/real-agents/measured.ts. */
const measuredFile = join(import.meta.dirname, '../../test/os/real-agents/measured.json');

const counts = z.looseObject({ proved: z.int(), probable: z.int(), missed: z.int() });
const cell = z.looseObject({ commands: counts, servers: counts, short: z.array(z.string()) });
const row = z.looseObject({
  name: z.string(),
  touched: z.array(z.string()).optional(),
  cells: z.record(z.string(), z.record(z.string(), cell)),
});
const measured = z.record(z.string(), row);

const looks = ['watched', 'a look before', 'hooks only', 'nothing'] as const;

const wordOf = ({ proved, probable, missed }: z.infer<typeof counts>): string =>
  proved + probable + missed === 0 ? 'none left' : `${proved} + ${probable} + ${missed}`;

const cellText = (one: z.infer<typeof cell> | undefined): string =>
  one === undefined
    ? ''
    : `${one.short.includes('the agent itself stays') ? '*stays*: ' : ''}${wordOf(one.commands)}; ${wordOf(one.servers)}`;

const rowsOf = ({ name, cells, touched }: z.infer<typeof row>): readonly string[] => [
  ...Object.entries(cells).map(
    ([ending, byLook]) => `| ${name} | ${ending} | ${looks.map((look) => cellText(byLook[look])).join(' | ')} |`,
  ),
  ...(touched === undefined
    ? []
    : [`| ${name} | living | ${touched.length === 0 ? 'nothing touched' : `TOUCHED: ${touched.join(', ')}`} | | | |`]),
];

const isNeverFound = (rows: readonly z.infer<typeof row>[], shape: string): boolean =>
  rows.every(({ cells }) =>
    Object.values(cells).every((byLook) =>
      Object.values(byLook).every(({ short, commands }) =>
        commands.proved + commands.missed === 0 ? true : short.some((one) => one.startsWith(`${shape}: missed`)),
      ),
    ),
  );

/** Returns docs/records/real-agents.md, before it is formatted. */
export const matrixPage = (text = readFileSync(measuredFile, 'utf8')): string => {
  const rows = Object.values(measured.parse(JSON.parse(text)));
  const shapes = ['environment cleared', 'in a group of its own'].filter((shape) => isNeverFound(rows, shape));
  return `# Real agents, and what they leave

Written by \`npm run test:agents\`, which plays every row with the real program: in process, mount and network
namespaces of its own, with a home of its own, a script in place of its model
(\`test/os/real-agents/model\`) and no network. \`npm run agents\` fetches the programs.

A session starts a command in each of ten shapes (\`test/os/real-agents/shapes.ts\`) and four servers
with 13 processes: one direct, one behind \`sh -c\` that ignores TERM, one behind \`npx\`, one that drives a
browser. It ends as the row says, in a pseudo-terminal where that is closed, else without one; \`hung up\` is the
signal HUP. *Stays* marks an agent that goes on without its terminal. Then one pass of
\`curfew scan\` looks at what is left. Before that \`curfew watch\` ran all the while, or Curfew took one look
just before the end, or had its hooks in the agent and took none, or neither.

A cell counts processes: proved + probable + missed, of commands; of servers. Proved is what Curfew
ends by itself, probable what it ends when the user says so, missed what it does not find left over.
${shapes.length === 0 ? '' : `Missed in every row: ${shapes.map((shape) => `a command ${shape}`).join(', and one ')}.\n`}
A living session is kept beside \`curfew watch\` for 70 seconds, with limits of 1 second (working
commands too, \`atMaxElapsed: reap\`) and a hard cap of 60: its commands are ended, and neither its
servers nor the agent itself may be touched.

| agent | end | watched | a look before | hooks only | nothing |
| --- | --- | --- | --- | --- | --- |
${rows.flatMap(rowsOf).join('\n')}

On a busy machine the four processes behind \`npx\` were missed in 7 of about 90 cells, for a reason not yet found
(9 + 0 + 4). What has no row or cell was not played yet. Not played at all: \`/exit\` typed into an agent's own interface, a real browser. crush (its npm package holds no
program) and pi after 0.87 (npm lacks packages that it needs) could not be fetched.
`;
};
