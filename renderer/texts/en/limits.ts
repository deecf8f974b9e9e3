import { limitFields, type LimitKey } from '../../../app/settings/keys.ts';
import { settingRows } from '../../../app/settings/registry.ts';
import type { Settings } from '../../../app/settings/settings.ts';

/** Label and sentence of each limit, as the registry has them. */
const limitTexts = Object.fromEntries(
  limitFields.map(({ key, row }) => [key, { label: row.field.label, body: row.text }]),
) as Readonly<Record<LimitKey, { readonly label: string; readonly body: string }>>;

/** The texts of the page of limits. */
export const limits = {
  intro: 'When a job is overdue, and how it is ended.',
  fields: limitTexts,
  backgroundKillSignal: 'First signal',
  backgroundKillSignalBody: settingRows.backgroundKillSignal.text,
  signals: {
    TERM: 'TERM, the usual request to end',
    INT: 'INT, as Ctrl-C',
    HUP: 'HUP, as a closed terminal',
    QUIT: 'QUIT, as Ctrl-\\, may write a core file',
  } satisfies Readonly<Record<Settings['backgroundKillSignal'], string>>,
  atMaxElapsed: 'When overdue',
  atMaxElapsedBody: 'What happens to an overdue job whose session is open.',
  atMaxElapsedChoices: {
    'reap-silent': 'End it if it is idle',
    reap: 'End it also while it works',
    notify: 'Only tell me',
  } satisfies Readonly<Record<Settings['atMaxElapsed'], string>>,
  inUseAtHardCap: 'In use at the hard cap',
  inUseAtHardCapBody: 'What happens at the hard cap to a job that one of your programs is connected to.',
  inUseAtHardCapChoices: {
    ask: 'Ask me',
    end: 'End it',
  } satisfies Readonly<Record<Settings['inUseAtHardCap'], string>>,
  sessionServers: 'Servers of closed sessions',
  sessionServersBody: 'What happens to MCP and language servers that no process can speak to any more.',
  sessionServersChoices: {
    end: 'End them',
    show: 'Only show them',
  } satisfies Readonly<Record<Settings['sessionServers'], string>>,
  unreachableAgents: 'Unreachable agents',
  unreachableAgentsBody: 'What happens to an agent that no user can reach and that was quiet for 15 min.',
  unreachableAgentsChoices: {
    show: 'Only show it',
    end: 'End it',
  } satisfies Readonly<Record<Settings['unreachableAgents'], string>>,
  range: (low: string, high: string) => `${low} to ${high}.`,
  laneLive: 'Session open',
  laneGone: 'Session closed',
  markMax: 'overdue',
  markGrace: 'grace',
  markCap: 'hard cap',
  fits: 'within its time',
  overdue: 'overdue',
  ended: 'ended',
  pictureLabel: (live: string, gone: string) => `${live} ${gone}`,
  pictureLive: (max: string, cap: string) =>
    `While its session is open, a job is within its time up to ${max} and is ended at ${cap} at the latest.`,
  pictureGone: (grace: string) => `Once its session is closed, it is ended after ${grace}.`,
};
