import type { Said } from '../../app/format/said.ts';
import { joined, say } from '../../app/text/say.ts';
import { lstatSync, rmSync } from 'node:fs';
import type { Autostart } from '../../app/contract/app-questions.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';
import { readSettingsDocument } from '../agents/hooks/form/settings-document.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { appEntryFile, isSwitchedOff } from './desktop-entry.ts';
import { canAsk, everyPlan, planFor, type Machine } from './plans.ts';
import { askSystem, failureOf } from './ask-system.ts';
import { readBoundedText } from '../os/files/own-file.ts';

/** The result of querying or changing the autostart. `problem`: what could not be done. */
export interface AutostartResult extends Autostart {
  readonly files: readonly string[];
  /** What is started: a pass every few minutes, or the supervisor; null: nothing. */
  readonly kind: AutostartPlan['kind'] | null;
  readonly problem: Said | null;
}

const whatItDoes: Readonly<Record<AutostartPlan['kind'], Said>> = {
  pass: say(
    'Every five minutes orphans that are at least ten minutes old are ended, in the mode “Enforce” only; where a supervisor runs, it leaves everything to that.',
  ),
  supervisor: say('From each login on `curfew watch` runs without a window, in the mode that the settings say.'),
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns the file by which the desktop starts the tray app at login, or null. */
const appEntry = ({ platform }: Machine, input: AutostartInput): string | null => {
  const path = appEntryFile(input);
  return platform === 'linux' && isThere(path) && !isSwitchedOff(readBoundedText(path)) ? path : null;
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
  text: Said,
  problem: Said | null = null,
): AutostartResult => ({
  state,
  text,
  files: plan.files.map(({ path }) => path),
  kind: plan.kind,
  problem,
});

const unsupported = (why: Said, asked: boolean): AutostartResult => ({
  state: 'unsupported',
  text: why,
  files: [],
  kind: null,
  problem: asked ? why : null,
});

/** Whether the user enabled the same from a package: `systemctl --user enable` only links it. */
const isTakenFromPackage = ({ check, links }: AutostartPlan, { environment }: AutostartInput): boolean =>
  check !== null && links.some(isThere) && askSystem(check, environment).status === 0;

const planStatus = (plan: AutostartPlan, input: AutostartInput): AutostartResult => {
  const files = written(plan);
  const does = whatItDoes[plan.kind];
  if (files === 'none' && isTakenFromPackage(plan, input))
    return { ...result(plan, 'enabled', joined(say('Set up as {name}.', { name: plan.name }), does)), files: [] };
  if (files === 'none')
    return result(plan, 'disabled', joined(say('Not set up. Enabling writes {name}.', { name: plan.name }), does));
  const taken = plan.check === null ? { status: 0, problem: null } : askSystem(plan.check, input.environment);
  if (files === 'all' && taken.status === 0)
    return result(plan, 'enabled', joined(say('Set up as {name}.', { name: plan.name }), does));
  const why =
    files !== 'all'
      ? say('its files are not as this Curfew would write them')
      : (taken.problem ?? say('the system has not taken it up'));
  return result(
    plan,
    'disabled',
    joined(say('Not complete: {why}.', { why }), say('`curfew autostart enable` puts it right.')),
  );
};

/**
 * Returns whether and how Curfew is started automatically, including the tray app's own entry.
 * Takes as long as the system's service manager, at most 15 s.
 */
export const autostartStatus = (machine: Machine, input: AutostartInput): AutostartResult => {
  const plan = planFor(machine, input);
  const status = 'why' in plan ? unsupported(plan.why, false) : planStatus(plan, input);
  const app = appEntry(machine, input);
  return app === null
    ? status
    : {
        ...status,
        text: joined(status.text, say('The tray app starts at login ({path}).', { path: app })),
      };
};

/**
 * Sets up the autostart. Refusals are reported in the system's words.
 * @throws the file system's error
 */
export const enableAutostart = (machine: Machine, input: AutostartInput): AutostartResult => {
  const plan = planFor(machine, input);
  if ('why' in plan) return unsupported(plan.why, true);
  const app = plan.kind === 'supervisor' ? appEntry(machine, input) : null;
  if (app !== null) {
    const problem = say(
      'The tray app starts at login ({path}), and one supervisor is enough: `curfew autostart disable` takes that away.',
      { path: app },
    );
    return result(plan, 'disabled', problem, problem);
  }
  for (const { path, text } of plan.files) writeWholeFile(path, text, 'linkable');
  for (const step of plan.enable) {
    const failure = failureOf(step, input.environment);
    if (failure !== null)
      return result(
        plan,
        'disabled',
        say('The files are written, but nothing starts yet. {why}.', { why: failure }),
        failure,
      );
  }
  return result(plan, 'enabled', joined(say('Set up as {name}.', { name: plan.name }), whatItDoes[plan.kind]));
};

const takeAway = (machine: Machine, plan: AutostartPlan, input: AutostartInput): readonly string[] => {
  const there = [...plan.files.map(({ path }) => path), ...plan.links].filter(isThere);
  if (there.length === 0) return [];
  const [first, ...rest] = canAsk(machine, plan) ? plan.disable : [];
  if (first !== undefined) failureOf(first, input.environment);
  for (const path of there) rmSync(path, { force: true });
  for (const step of rest) failureOf(step, input.environment);
  return there;
};

/**
 * Removes every autostart of Curfew here, including the tray app's own entry on Linux, even where
 * the service manager can't be asked any more.
 * @throws the file system's error
 */
export const disableAutostart = (machine: Machine, input: AutostartInput): AutostartResult => {
  const app = appEntryFile(input);
  const own = machine.platform === 'linux' && isThere(app) ? [app] : [];
  const files = [...everyPlan(machine, input).flatMap((plan) => takeAway(machine, plan, input)), ...own];
  for (const path of own) rmSync(path, { force: true });
  const plan = planFor(machine, input);
  return {
    state: 'why' in plan ? 'unsupported' : 'disabled',
    text: files.length === 0 ? say('Nothing was set up.') : say('Taken away.'),
    files,
    kind: null,
    problem: null,
  };
};
