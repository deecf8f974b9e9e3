import { limitFields, type LimitKey } from '../../../app/settings/keys.ts';
import { settingRows } from '../../../app/settings/registry.ts';
import type { Settings } from '../../../app/settings/settings.ts';

/** Label and sentence of each limit, as the registry has them. */
const limitTexts = Object.fromEntries(
  limitFields.map(({ key, row }) => [key, { label: row.field.label, body: row.text }]),
) as Readonly<Record<LimitKey, { readonly label: string; readonly body: string }>>;

/** The settings that are chosen from a list, with the words for their values. */
export const choices = {
  appearance: {
    label: 'Appearance',
    body: null,
    values: { system: 'Match system', light: 'Light', dark: 'Dark' },
  },
  language: {
    label: 'Language',
    body: 'Windows, notifications and command line.',
    values: { system: 'Match system', en: 'English', de: 'Deutsch' },
  },
  backgroundKillSignal: {
    label: 'First signal',
    body: settingRows.backgroundKillSignal.text,
    values: {
      TERM: 'TERM, the usual request to end',
      INT: 'INT, as Ctrl-C',
      HUP: 'HUP, as a closed terminal',
      QUIT: 'QUIT, as Ctrl-\\, may write a core file',
    },
  },
  atMaxElapsed: {
    label: 'When overdue',
    body: 'What happens to an overdue job whose session is open.',
    values: { 'reap-silent': 'End it if it is idle', reap: 'End it also while it works', notify: 'Only tell me' },
  },
  inUseAtHardCap: {
    label: 'In use at the hard cap',
    body: 'What happens at the hard cap to a job that one of your programs is connected to.',
    values: { ask: 'Ask me', end: 'End it' },
  },
  sessionServers: {
    label: 'Servers of closed sessions',
    body: 'What happens to MCP and language servers that no process can speak to any more.',
    values: { end: 'End them', show: 'Only show them' },
  },
  unreachableAgents: {
    label: 'Unreachable agents',
    body: 'What happens to an agent that no user can reach and that was quiet for 15 min.',
    values: { show: 'Only show it', end: 'End it' },
  },
} satisfies {
  readonly [Key in keyof Settings as Settings[Key] extends string ? Key : never]?: {
    readonly label: string;
    readonly body: string | null;
    readonly values: Readonly<Record<Settings[Key] & string, string>>;
  };
};

export const limits = {
  intro: 'When a job is overdue, and how it is ended.',
  fields: limitTexts,
  range: (low: string, high: string) => `${low} to ${high}.`,
  laneLive: 'Session open',
  laneGone: 'Session closed',
  markMax: 'overdue',
  markGrace: 'grace',
  markCap: 'hard cap',
  fits: 'within its time',
  overdue: 'overdue',
  ended: 'ended',
  pictureLive: (max: string, cap: string) =>
    `While its session is open, a job is within its time up to ${max} and is ended at ${cap} at the latest.`,
  pictureGone: (grace: string) => `Once its session is closed, it is ended after ${grace}.`,
};
