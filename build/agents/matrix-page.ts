import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hookInstallers } from '../../main/agents/dossiers.ts';
import { leftOut, pinnedAgents } from './table.ts';

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

/** In the order of test/os/real-agents/endings.ts. */
const endings = [
  'killed',
  'killed, Chromium',
  'terminated',
  'hung up',
  'crashed',
  'terminal closed',
  'finished',
  '/exit typed',
];

const byEnding = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  endings.indexOf(left) - endings.indexOf(right);

const rowsOf = ({ name, cells, touched }: z.infer<typeof row>): readonly string[] => [
  ...Object.entries(cells)
    .toSorted(byEnding)
    .map(([ending, byLook]) => `| ${name} | ${ending} | ${looks.map((look) => cellText(byLook[look])).join(' | ')} |`),
  ...(touched === undefined
    ? []
    : [`| ${name} | living | ${touched.length === 0 ? 'nothing touched' : `TOUCHED: ${touched.join(', ')}`} | | | |`]),
];

/** Folders of the agents that Curfew installs hooks into. */
const hooked: ReadonlySet<string> = new Set(
  pinnedAgents.filter((one) => hookInstallers.some(({ agent }) => agent === one.agent)).map(({ folder }) => folder),
);

const notPlayed = (rows: Readonly<Record<string, z.infer<typeof row>>>): readonly string[] =>
  Object.entries(rows).flatMap(([folder, { name, cells }]) =>
    endings.flatMap((ending) => {
      const missing = looks.filter(
        (look) => cells[ending]?.[look] === undefined && (look !== 'hooks only' || hooked.has(folder)),
      );
      if (missing.length === 0) return [];
      return [`${name}, ${ending}${missing.length > 2 ? '' : ` (${missing.join(', ')})`}`];
    }),
  );

/** What was left of agents that `curfew agent` started, where that was played. */
const groupRows = (rows: Readonly<Record<string, z.infer<typeof row>>>): readonly string[] =>
  Object.values(rows).flatMap(({ name, cells }) =>
    Object.entries(cells)
      .toSorted(byEnding)
      .flatMap(([ending, { 'its group': one }]) =>
        one === undefined ? [] : [`| ${name} | ${ending} | ${cellText(one)} | ${one.short.join(', ')} |`],
      ),
  );

/** Returns docs/records/real-agents.md, before it is formatted. */
export const matrixPage = (text = readFileSync(measuredFile, 'utf8')): string => {
  const rows = measured.parse(JSON.parse(text));
  const left = notPlayed(rows);
  return `# Real agents, and what they leave

Written by \`npm run test:agents\`, which plays every row with the real program: in process, mount and network
namespaces of its own, with a home of its own, a script in place of its model
(\`test/os/real-agents/model\`) and no network. \`npm run agents\` fetches the programs. What is measured is not
played again, as long as it stands in \`measured.json\`.

A session starts a command in each of ten shapes (\`test/os/real-agents/shapes.ts\`) and four servers
with 13 processes: one direct, one behind \`sh -c\` that ignores TERM, one behind \`npx\`, one that drives a
browser, in rows with Chromium the machine's real one. It ends as the row says. Where a terminal is closed or
\`/exit\` is typed, the agent's own interface runs in a pseudo-terminal; else it runs without one. \`hung up\` is the
signal HUP, a crash SEGV. *Stays* marks one of which a process goes on, and its servers with it. Then one pass of
\`curfew scan\` looks at what is left. Before that \`curfew watch\` ran all the while, or Curfew took one look
just before the end, or had its hooks in the agent and took none, or neither.

A cell counts processes: proved + probable + missed, of commands; of servers. Proved is what Curfew
ends by itself, probable what it ends when the user says so, missed what it does not call left over.

A living session is kept beside \`curfew watch\` for 70 seconds, with limits of 1 second (working
commands too, \`atMaxElapsed: reap\`) and a hard cap of 60: neither its servers nor the agent itself may be touched.

| agent | end | watched | a look before | hooks only | nothing |
| --- | --- | --- | --- | --- | --- |
${Object.values(rows).flatMap(rowsOf).join('\n')}

## Under \`curfew agent\`

The same sessions, each in a control group that Curfew made for it, with no look before the end.

| agent | end | found | what is not proved |
| --- | --- | --- | --- |
${groupRows(rows).join('\n')}

## Why not all is proved

- **Commands that leave their agent between two looks** (\`setsid\`, a double fork, \`nohup … &\` whose shell returns
  at once) have only their marks: probable, also beside \`curfew watch\`. Proved is what a look still saw below
  the agent, what keeps the kernel session of a tool shell that a look saw, and what holds the output file of its
  session open.
- **In a group of its own** (\`set -m\`): the kernel shows the same of what a user types into a shell. The owner is
  unknown, and nothing ends it.
- **Environment cleared** (\`env -i\`): it carries nothing by which it could be known. Without a mark it is also a
  program that could be the agent of the commands that began after it, where no look saw the agent (Qwen Code, pi).
- **Cline** and **Droid** mark what they start with the same variable, without a session. Cline's is on its servers
  and its daemon, too: its commands are listed and not called left over.
- **Continue** and **Kimi Code** mark nothing. A look knows the shells of their calls, not what these have left. Of
  Kimi \`curfew watch\` finds what it saw in the kernel session of a call. Continue's calls share its own session, and
  their shells return at once: what they leave has another parent before a glance can see it, and nothing that the
  kernel keeps tells it from the user's.
- **Servers with \`nothing\`**: Codex clears the environment of its servers, Claude Code 2.0, Continue and Kimi mark
  none, pi's is on everything. A look before the end, or a hook, is what proves them: where a session begins, its hook
  lets Curfew look once. opencode starts its servers after that.
- **Servers that moved bytes since the look before** are shown as working for a while: \`npx\` on a busy machine is
  still starting when that look is taken. A later look finds them. So is the child of a server that has
  ended, with no channel of its own but standard error: it can't be told from a daemon that the server meant.
${
  left.length === 0
    ? ''
    : `\nNot played: ${left.join('; ')}. Droid's own interface
opens with a login at its makers, and takes no key that they have not confirmed (0.215.0, seen without a network).\n`
}
${leftOut.join(' ')} pi runs without \`marked-cjk-friendly\`, which npm lacks; an empty module stands in for it.
`;
};
