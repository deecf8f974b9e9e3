import { answers, page, surface } from './answers.ts';
import { autostart } from './autostart.ts';
import { checkParts, checks, checkTitles } from './checks.ts';
import { health, pileUps, stores } from './health.ts';
import { hooks } from './hooks.ts';
import { machines } from './machines.ts';
import { owners } from './owners.ts';
import { departures, record, refusals } from './record.ts';
import { rules, settings } from './settings.ts';

/** German for the sentences of the engine, by their English form; figures are `{name}`. */
export const germanForms = {
  ...answers,
  ...surface,
  ...page,
  ...checkTitles,
  ...checks,
  ...checkParts,
  ...health,
  ...pileUps,
  ...stores,
  ...machines,
  ...owners,
  ...autostart,
  ...hooks,
  ...settings,
  ...rules,
  ...record,
  ...departures,
  ...refusals,
} as const;
