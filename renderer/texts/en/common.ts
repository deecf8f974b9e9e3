import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

/** Words that several views share. */
export const common = {
  product: 'Curfew',
  units: { d: { one: 'd', other: 'd' }, h: 'h', min: 'min', s: 's', ms: 'ms' },
  ago: (length: string) => `${length} ago`,
  now: 'just now',
  processes: (count: number) => plural(count, { one: '# process', other: '# processes' }),
  jobs: (count: number) => plural(count, { one: '# job', other: '# jobs' }),
  process: (pid: number) => `process ${pid}`,
  sessions: (count: number) => plural(count, { one: '# session', other: '# sessions' }),
  port: (port: number) => `port ${port}`,
  ports: (ports: string) => `ports ${ports}`,
  host: (host: string) => `on ${host}`,
  noProject: 'No project folder',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  tryAgain: 'Try again',
  loading: 'Loading…',
  remove: 'Remove',
  end: 'End…',
  endIt: 'End it',
  copied: 'Copied',
  copyCommand: 'Copy command',
  mode: { enforce: 'Enforce', observe: 'Observe' },
  enforceAsk: {
    title: 'Let Curfew end jobs?',
    body: (count: number) =>
      plural(count, {
        one: 'It would end # job now, after a warning:',
        other: 'It would end # jobs now, after a warning:',
      }),
    more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
    confirm: 'Enforce',
  },
  owner: { live: 'session open', gone: 'session closed', unknown: 'session unknown' },
  control: {
    newline: 'line break',
    tab: 'tab',
    character: (code: string) => `control character ${code}`,
  },
  late: {
    title: 'This view could not be loaded',
    away: 'Curfew can’t be reached at the moment. The view loads by itself once it can.',
    advice: 'Curfew may have been upgraded since this page was opened. Trying again…',
    reload: 'Reload the page',
  },
  failedView: {
    title: 'This view has failed',
    advice: 'The other views still work. If it fails again, “curfew report” says what to send.',
  },
  failure: {
    title: 'That didn’t work',
    offline: 'Curfew can’t be reached.',
  },
  page: {
    signedOutSince: (time: string) =>
      `Curfew was restarted, so this browser is no longer signed in. This is the state at ${time}.`,
  },
  whole: 'Show the whole command',
  less: 'Show less',
};
