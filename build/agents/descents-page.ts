import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What `npm run test:shapes` measured; its schema is test/os/real-agents/descents.ts. */
const measuredFile = join(import.meta.dirname, '../../test/os/real-agents/descents.json');

const measured = z.array(
  z.looseObject({
    agent: z.string(),
    way: z.string(),
    at: z.string(),
    watchPercent: z.array(z.number()).optional(),
    calls: z.record(z.string(), z.array(z.string())),
  }),
);

const unproved: ReadonlySet<string> = new Set(['probable', 'doubted', 'missed', 'nothing left']);

const cellOf = (said: readonly string[]): string => {
  const left = said.filter((word) => word !== 'nothing left');
  if (left.length === 0) return 'none left';
  const proved = left.filter((word) => !unproved.has(word));
  const others = [
    ...Map.groupBy(
      left.filter((word) => unproved.has(word)),
      (word) => word,
    ),
  ];
  const rest = others.map(([word, all]) => `, ${all.length} ${word}`).join('');
  return `${proved.length} of ${left.length}${rest}`;
};

const median = (all: readonly number[]): string => `${all.toSorted((left, right) => left - right)[all.length >> 1]} %`;

/** Returns docs/records/call-shapes.md, before it is formatted. */
export const descentsPage = (text = readFileSync(measuredFile, 'utf8')): string => {
  const rows = measured.parse(JSON.parse(text));
  const names = [...new Set(rows.flatMap(({ calls }) => Object.keys(calls)))];
  const head = rows.map(({ agent, way }) => `${agent}, ${way}`);
  const lines = names.map(
    (name) =>
      `| ${name.replaceAll('|', String.raw`\|`)} | ${rows.map(({ calls }) => (calls[name] === undefined ? '' : cellOf(calls[name]))).join(' | ')} |`,
  );
  return `# What each shape of a command proves

Written by \`npm run test:shapes\`. A real agent, its model a script, makes a tool call of each shape in random
order, half a second to four seconds apart, beside \`curfew watch\` that scans every 5 s. Each leaves a process
behind. Then the agent is killed, and Curfew says of each what it saw: *proved* counts, the rest is *probable* (marks
alone, ended by the user alone), *doubted* (the user may have started it) or *missed*. One run is one session. The sessions run ahead of all other work of
the machine (\`chrt --rr 1\`), so that two cores are theirs.

\`x\` is \`tail -f /dev/null\`; "no output" means that it has closed input, output and error. A call takes as long as its
shape says, else the 5 to 15 ms of its shell. *looks* has no hooks and no control group; *the kernel's group* is what
\`curfew hooks install claude --witness\` asks for.

| call | ${head.join(' | ')} |
| --- | ${rows.map(() => '---').join(' | ')} |
${lines.join('\n')}
| processor time of \`curfew watch\`, of a core | ${rows.map(({ watchPercent: all }) => (all === undefined ? '' : median(all))).join(' | ')} |

Codex ends the group of a call that has returned, and what writes to its pipes ends with these. Empty cells were not played: Gemini CLI and
opencode wait until the output of a call is closed, so these calls do not return. Measured ${[...new Set(rows.map(({ at }) => at))].join(', ')}. The last two shapes fork twice at once, close their output
and leave group and kernel session: a glance sees them by chance. So it is with \`setsid\` as the last word of a call, whose shell ends within a
millisecond, most of all after two seconds: only Claude Code and Gemini CLI make a file that tells of the end or the
beginning of a call. On a busy machine glances come late, and more of the shapes with
\`setsid\` are probable. Files that keep the call's output prove at any time.
`;
};
