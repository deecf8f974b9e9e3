import { formatAge } from '../format/age.ts';
import { visibleText } from '../format/visible.ts';
import { counted } from './figures.ts';
import { englishStates } from './states.ts';

/** Texts of the desktop app outside its windows: tray, menu, notifications and dialogs. */
export const desktopTexts = {
  product: 'Curfew',
  tray: {
    starting: 'Checking for the first time…',
    needLook: (count: number) => (count === 1 ? '1 job needs a look' : `${count} jobs need a look`),
    leftover: (count: number) =>
      count === 1 ? '1 leftover of a closed session' : `${count} leftovers of closed sessions`,
    probable: (count: number) => `${count} ${englishStates.probable}`,
    unreachable: (count: number) =>
      count === 1 ? '1 agent may be out of reach' : `${count} agents may be out of reach`,
    allWell: (count: number) => `${count} running, ${count === 1 ? 'doesn’t need a look' : 'none needs a look'}`,
    allSpared: 'Nothing needs a look',
    nothing: 'Nothing is left behind',
    limited: {
      paused: 'Paused',
      'report-only': 'Report only',
      unrecorded: 'Not ending anything',
      observing: 'Observe mode',
    },
    stale: 'Not checked for a while',
    holds: (jobs: number, size: string) => (jobs === 1 ? `1 leftover holds ${size}` : `${jobs} leftovers hold ${size}`),
    freed: (processes: number, size: string, since: string | null) =>
      `Freed ${since === null ? 'this week' : `since ${since}`}: ${size}, ${counted(processes, 'process', 'processes')}`,
    unwatched: 'Nothing is being watched',
    ending: 'Quitting: a job is being ended…',
    tip: (sentence: string) => `Curfew: ${sentence}`,
  },
  menu: {
    job: (command: string, age: string) => `${command} · ${age}`,
    reap: (processes: number) => `End ${counted(processes, 'process', 'processes')}`,
    keep: 'Keep 30 min',
    probableJob: (command: string, age: string) => `${command} · ${age} · ${englishStates.probable}`,
    mine: 'It’s mine',
    probable: (count: number) => `${count} ${englishStates.probable}…`,
    show: 'Show',
    more: (count: number) => `${count} more…`,
    endLeftovers: (jobs: number, size: string) => `End all leftovers (${counted(jobs, 'job', 'jobs')}, ${size})…`,
    leftover: (command: string, project: string | null, size: string) =>
      [command, ...(project === null ? [] : [visibleText(project)]), size].join(' · '),
    endThese: (jobs: number) => `End these ${counted(jobs, 'job', 'jobs')}`,
    open: 'Open Curfew',
    choose: 'Choose what Curfew may do…',
    pause: 'Pause 1 h',
    resume: 'Resume',
    observe: 'Observe',
    enforce: 'Enforce…',
    settings: 'Settings…',
    history: 'History…',
    quit: 'Quit Curfew',
    edit: 'Edit',
    window: 'Window',
  },
  notification: {
    title: (agent: string, project: string | null, what: string) =>
      project === null ? `${agent}: ${what}` : `${agent} in ${project}: ${what}`,
    states: {
      orphaned: 'a command was left behind',
      probable: 'a command is probably left over',
      overdue: 'a command is overdue',
      'past-cap': 'a command is past the hard cap',
    },
    otherState: 'a command needs a look',
    endsIn: (seconds: number) => `It will be ended in ${formatAge(seconds)} unless you keep it.`,
    endsAtCap: (seconds: number) => `It reaches the hard cap in ${formatAge(seconds)} and will be ended then.`,
    memoryScarce: 'Memory is scarce, so the largest goes first.',
    endsNow: 'It is about to be ended.',
    stays: 'Curfew won’t end it on its own.',
    several: (count: number) => `${count} background commands need a look`,
    others: (count: number) => `and ${counted(count, 'other', 'others')}`,
    reap: 'End',
    keep: 'Keep 30 min',
    mine: 'It’s mine',
    ended: (command: string, freed: string | null) =>
      freed === null ? `Ended: ${command}` : `Ended: ${command} (${freed})`,
    endedTitle: (count: number) => (count === 1 ? 'Curfew ended a command' : `Curfew ended ${count} commands`),
    survivedTitle: 'Curfew couldn’t end a command',
    survived: (command: string) => `Some of its processes are still running: ${command}`,
    failedTitle: 'Curfew couldn’t do this',
    repeated: (command: string, project: string | null, times: number) =>
      `${times} times${project === null ? '' : ` in ${project}`}: ${command}`,
    neverEnd: (command: string) => `Never end ${command}`,
    noWeek: 'No weekly summary',
  },
  shortcut: {
    taken: (keys: string) => `${keys} can’t open Curfew: another program has it, or the system refuses it.`,
    advice: 'Choose another shortcut under Settings, General.',
  },
  save: { title: 'Export the history' },
  dialog: {
    takenTitle: 'Curfew is already running',
    failedTitle: 'Curfew couldn’t start',
    lostTitle: 'Curfew stopped watching',
    lostMeaning: 'Until it watches again there are no automatic endings and no notifications.',
    again: 'Try again',
    quit: 'Quit',
  },
} as const;
