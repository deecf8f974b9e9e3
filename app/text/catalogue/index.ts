import { answers } from './answers.ts';
import { autostart } from './autostart.ts';
import { checks, checkTitles } from './checks.ts';
import { diagnoses } from './diagnoses.ts';
import { belonging, evidence } from './evidence.ts';
import { files } from './files.ts';
import { health } from './health.ts';
import { hooks } from './hooks.ts';
import { locks } from './locks.ts';
import { machines } from './machines.ts';
import { nouns } from './nouns.ts';
import { owners } from './owners.ts';
import { ports } from './ports.ts';
import { reach } from './reach.ts';
import { reasons } from './reasons.ts';
import { record } from './record.ts';
import { settings } from './settings.ts';
import { states } from './states.ts';
import { system } from './system.ts';
import { vetoes } from './vetoes.ts';
import { waiting } from './waiting.ts';
import { worktrees } from './worktrees.ts';

/** German for what is said of files, locks and worktrees. */
export const fileForms = { ...files, ...locks, ...worktrees } as const;

/** German for the sentences of the engine, by their English form; figures are `{name}`. */
export const germanForms = {
  ...nouns,
  ...states,
  ...system,
  ...answers,
  ...checkTitles,
  ...checks,
  ...health,
  ...machines,
  ...owners,
  ...autostart,
  ...hooks,
  ...ports,
  ...waiting,
  ...settings,
  ...record,
  ...evidence,
  ...belonging,
  ...reasons,
  ...vetoes,
  ...diagnoses,
  ...reach,
  ...fileForms,
} as const;
