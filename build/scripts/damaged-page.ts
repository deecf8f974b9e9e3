// npm run damaged:page: writes docs/records/damaged-fields.md of what test/property/damaged.test.ts
// left in test/played/damaged.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/played/damaged');

const count = z.int().nonnegative();
const measured = z.object({
  at: z.string(),
  kernel: z.string(),
  damages: count,
  believed: z.array(z.string()),
  worlds: count,
  told: count,
  innocents: count,
  worse: z.array(z.string()),
});
type Measured = z.infer<typeof measured>;

const number = (value: number): string => value.toLocaleString('en-US');

const row = ({ at, kernel, damages, believed, worlds, told, innocents, worse }: Measured): string =>
  `| ${kernel} | ${at.slice(0, 10)} | ${damages} | ${damages - believed.length} | ${believed.length} | ${worlds} | ${number(told)} | ${number(worlds * believed.length - told)} | ${number(innocents)} | ${worse.length} |`;

/** The damages of a field, in one line. */
const fields = (believed: readonly string[]): readonly string[] => {
  const ways = new Map<string, string[]>();
  for (const one of believed) {
    const [field = '', way = ''] = one.split(': ');
    ways.set(field, [...(ways.get(field) ?? []), way]);
  }
  return [...ways].map(([field, all]) => `- ${field}: ${all.join(', ')}`);
};

const all = readdirSync(folder)
  .toSorted()
  .map((file) => measured.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))));

writeFileSync(
  join(root, 'docs/records/damaged-fields.md'),
  `# Damaged fields: the record

Written by \`npm run damaged:page\` of what \`npm run test:damaged\` left in \`test/played/damaged\`. Each field
that is read of a struct of a simulated kernel is damaged in five ways, one at a time. A damage that the self-check
does not find is put into every world in which it changes anything that is read; else the world is the same.

| kernel | day | damages | found by the self-check | not found | worlds of each | played | unchanged by it | innocents of a world, in all | innocents that were hit |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${all.map(row).join('\n')}
${all.map(({ kernel, believed }) => `\nNot found on ${kernel}:\n\n${fields(believed).join('\n')}\n`).join('')}${all
    .filter(({ worse }) => worse.length > 0)
    .map(({ kernel, worse }) => `\nHit on ${kernel}:\n\n${worse.map((one) => `- ${one}`).join('\n')}\n`)
    .join('')}`,
);
