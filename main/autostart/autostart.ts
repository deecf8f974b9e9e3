import { existsSync, rmSync } from 'node:fs';
import type { Autostart } from '../../app/contract/app-questions.ts';
import { runBounded } from '../os/bounded-program.ts';
import { writeWholeFile } from '../store/whole-file.ts';
import { readSettingsDocument } from '../agents/hooks/settings-document.ts';
import type { AutostartInput, AutostartPlan, AutostartStep } from './autostart-plan.ts';
import { launchdPlan } from './launchd.ts';
import { systemdPlan } from './systemd.ts';

/** The system's commands get so long, milliseconds. */
const patienceMs = 15_000;

/** What came of asking for, or changing, the autostart. `problem`: what was asked for could not be done. */
export interface AutostartResult extends Autostart {
  readonly files: readonly string[];
  readonly problem: string | null;
}

/** What this machine starts things with. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** systemd is process 1: sd_booted(3) looks for this folder. */
  readonly systemd: boolean;
}

/** This machine. */
export const machineHere = (): Machine => ({
  platform: process.platform,
  systemd: existsSync('/run/systemd/system'),
});

/** The plan for a machine, or why there is none. */
const autostartPlan = (machine: Machine, input: AutostartInput): AutostartPlan | { readonly why: string } => {
  if (machine.platform === 'darwin') return launchdPlan(input);
  if (machine.platform === 'linux' && machine.systemd) return systemdPlan(input);
  const line = `*/5 * * * * ${input.program.join(' ')} hook pass --max-age 10m`;
  return {
    why:
      machine.platform === 'linux'
        ? `This machine was not started by systemd. With cron, a line like this does the same: ${line}`
        : `There is no autostart for ${machine.platform} yet.`,
  };
};

const whatItDoes =
  'Every five minutes orphans that are at least ten minutes old are ended, in the mode "enforce" only; where a supervisor runs, it leaves everything to that.';

const system = (command: AutostartStep['command'], environment: AutostartInput['environment']) => {
  const names = ['HOME', 'PATH', 'USER', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME'];
  const known = names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  return runBounded({
    command,
    environment: Object.fromEntries(known) as Record<string, string>,
    timeoutMs: patienceMs,
  });
};

const failureOf = (step: AutostartStep, environment: AutostartInput['environment']): string | null => {
  const { status, stderr, problem } = system(step.command, environment);
  if (status === 0 || step.mayFail) return null;
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  const said = problem ?? (lastLine === '' ? `it ended with status ${status}` : lastLine);
  return `\`${step.command.join(' ')}\` failed: ${said}`;
};

const written = (plan: AutostartPlan): 'all' | 'some' | 'none' | 'different' => {
  const states = plan.files.map(({ path, text }) => {
    const document = readSettingsDocument(path);
    return document.kind === 'missing'
      ? 'missing'
      : document.kind === 'read' && document.text === text
        ? 'same'
        : 'other';
  });
  if (states.every((state) => state === 'same')) return 'all';
  if (states.every((state) => state === 'missing')) return 'none';
  return states.includes('other') ? 'different' : 'some';
};

const result = (
  plan: AutostartPlan,
  state: Autostart['state'],
  text: string,
  problem: string | null,
): AutostartResult => ({
  state,
  text,
  files: plan.files.map(({ path }) => path),
  problem,
});

const unsupported = (why: string, asked: boolean): AutostartResult => ({
  state: 'unsupported',
  text: why,
  files: [],
  problem: asked ? why : null,
});

/** Whether the periodic pass is set up and taken up. Takes as long as the system's service manager needs to answer, at most 15 s. */
export const autostartStatus = (machine: Machine, input: AutostartInput): AutostartResult => {
  const plan = autostartPlan(machine, input);
  if ('why' in plan) return unsupported(plan.why, false);
  const files = written(plan);
  if (files === 'none')
    return result(plan, 'disabled', `Not set up. Enabling writes ${plan.name}. ${whatItDoes}`, null);
  const taken = system(plan.check, input.environment);
  if (files === 'all' && taken.status === 0)
    return result(plan, 'enabled', `Set up as ${plan.name}. ${whatItDoes}`, null);
  const why =
    files !== 'all'
      ? 'its files are not as this Curfew would write them'
      : (taken.problem ?? 'the system has not taken it up');
  return result(plan, 'disabled', `Not complete: ${why}. \`curfew autostart enable\` puts it right.`, null);
};

/** Sets the periodic pass up. What the system refuses is said as it said it. Throws the file system's error. */
export const enableAutostart = (machine: Machine, input: AutostartInput): AutostartResult => {
  const plan = autostartPlan(machine, input);
  if ('why' in plan) return unsupported(plan.why, true);
  for (const { path, text } of plan.files) writeWholeFile(path, text);
  for (const step of plan.enable) {
    const failure = failureOf(step, input.environment);
    if (failure !== null)
      return result(plan, 'disabled', `The files are written, but nothing starts yet. ${failure}.`, failure);
  }
  return result(plan, 'enabled', `Set up as ${plan.name}. ${whatItDoes}`, null);
};

/** Takes the periodic pass away. Throws the file system's error. */
export const disableAutostart = (machine: Machine, input: AutostartInput): AutostartResult => {
  const plan = autostartPlan(machine, input);
  if ('why' in plan) return unsupported(plan.why, false);
  const [first, ...rest] = plan.disable;
  if (first !== undefined) failureOf(first, input.environment);
  for (const { path } of plan.files) rmSync(path, { force: true });
  for (const step of rest) failureOf(step, input.environment);
  return result(plan, 'disabled', 'Taken away.', null);
};
