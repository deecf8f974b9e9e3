// Writes what the npm package contains beside the program: the manual page and the completions,
// from the commands' own definitions, the autostart files for packagers of a system (`curfew
// autostart enable` writes the same with this machine's places), and what Prometheus and Grafana
// take.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import type { AutostartInput } from '../../main/autostart/autostart-plan.ts';
import { launchdPlan } from '../../main/autostart/launchd.ts';
import { systemdPlan } from '../../main/autostart/systemd.ts';
import { xdgPlan } from '../../main/autostart/plans.ts';
import { bashCompletion } from '../../main/cli/completion/bash.ts';
import { definitionOf } from '../../main/cli/completion/definition.ts';
import { fishCompletion } from '../../main/cli/completion/fish.ts';
import { powershellCompletion } from '../../main/cli/completion/powershell.ts';
import { manual } from '../../main/cli/completion/manual.ts';
import { zshCompletion } from '../../main/cli/completion/zsh.ts';
import { processOutput } from '../../main/cli/common/output.ts';
import { addCommands } from '../../main/cli/program/program.ts';
import { buildEpoch } from '../release/epoch.ts';

const root = join(import.meta.dirname, '../..');
const share = join(root, 'build/out/share');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const date = new Date(buildEpoch(root, process.env, Date.now()) * 1000).toISOString().slice(0, 10);

const program = new Command('curfew');
addCommands(program, processOutput(), () => {});
const definition = definitionOf(program);

/** No machine in particular: `curfew` is found on the path. */
const anywhere: AutostartInput = {
  home: '/',
  environment: {},
  uid: 0,
  program: ['/usr/bin/env', 'curfew'],
  placesEnvironment: {},
};
const origin = 'For packages of a system. On one machine, "curfew autostart enable" writes this with its own places.';
const shipped = (folder: string, { files: all }: ReturnType<typeof systemdPlan>): [string, string][] =>
  all.map(({ path, text }) => [`${folder}/${basename(path)}`, text]);

const files = {
  ...Object.fromEntries([
    ...shipped('systemd/user', systemdPlan(anywhere, origin)),
    ...shipped('launchd', launchdPlan(anywhere, 'gui', origin)),
    ...shipped('autostart', xdgPlan(anywhere)),
  ]),
  'incident-line.schema.json': readFileSync(join(root, 'docs/incident-line.schema.json'), 'utf8'),
  'man/curfew.1': manual(definition, version, date),
  'completions/curfew.bash': bashCompletion(definition),
  'completions/_curfew': zshCompletion(definition),
  'completions/curfew.fish': fishCompletion(definition),
  'completions/curfew.ps1': powershellCompletion(definition),
  'prometheus/curfew.rules.yml': readFileSync(join(root, 'build/metrics/curfew.rules.yml'), 'utf8'),
  'grafana/curfew-dashboard.json': readFileSync(join(root, 'build/metrics/curfew-dashboard.json'), 'utf8'),
};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(join(share, file, '..'), { recursive: true });
  writeFileSync(join(share, file), text);
}
