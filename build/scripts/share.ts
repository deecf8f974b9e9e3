// Writes what the npm package carries beside the program: the manual page and the completions, from the commands' own definitions.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { bashCompletion } from '../../main/cli/completion/bash.ts';
import { definitionOf } from '../../main/cli/completion/definition.ts';
import { fishCompletion } from '../../main/cli/completion/fish.ts';
import { manual } from '../../main/cli/completion/manual.ts';
import { zshCompletion } from '../../main/cli/completion/zsh.ts';
import { processOutput } from '../../main/cli/output.ts';
import { addCommands } from '../../main/cli/program.ts';

const root = join(import.meta.dirname, '../..');
const share = join(root, 'build/out/share');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
// Two builds of the same sources are the same: https://reproducible-builds.org/docs/source-date-epoch/
const epoch = process.env['SOURCE_DATE_EPOCH'];
const date = new Date(epoch === undefined ? Date.now() : Number(epoch) * 1000).toISOString().slice(0, 10);

const program = new Command('curfew');
addCommands(program, processOutput(), () => {});
const definition = definitionOf(program);

const files = {
  'man/curfew.1': manual(definition, version, date),
  'completions/curfew.bash': bashCompletion(definition),
  'completions/_curfew': zshCompletion(definition),
  'completions/curfew.fish': fishCompletion(definition),
};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(join(share, file, '..'), { recursive: true });
  writeFileSync(join(share, file), text);
}
