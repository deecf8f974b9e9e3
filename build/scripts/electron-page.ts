// node build/scripts/electron-page.ts: writes docs/records/electron.md from what
// `npm run measure:electron` measured (test/electron/measured.json).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const count = z.int().nonnegative();
const longest = z.object({ task: count, wait: count });
const measured = z.object({
  at: z.string(),
  processes: count,
  ended: count,
  load: count,
  megabytes: z.object({ empty: count, app: count, sqlite: count }),
  milliseconds: z.object({ scanning: longest, ending: longest }),
});

const run = measured.parse(JSON.parse(readFileSync(join(root, 'test/electron/measured.json'), 'utf8')));
const { megabytes, milliseconds } = run;
writeFileSync(
  join(root, 'docs/records/electron.md'),
  `# The tray app on Electron 25: the record

Written by \`npm run measure:electron\` on ${run.at.slice(0, 10)}, at a load of ${run.load} on two cores, ahead of it all by \`chrt\`.
It is not the bundle that ships: see [what that run proves](../contributing/testing.md#electron). None of it is a bar.

| longest, ms | task of the main process | wait of a window for an answer |
| --- | --- | --- |
| ${run.processes} processes are scanned each second, for 20 s | ${milliseconds.scanning.task} | ${milliseconds.scanning.wait} |
| a job of ${run.ended} of them is ended and recorded | ${milliseconds.ending.task} | ${milliseconds.ending.wait} |

Memory of the whole app with its window closed, all processes, shared pages in parts: ${megabytes.app} MB, and ${megabytes.sqlite} MB of
the plain Node that stands for \`node:sqlite\`. An app of the same Electron with an icon, a menu and nothing else:
${megabytes.empty} MB.
`,
);
