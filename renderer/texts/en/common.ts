import { pluralFor } from '../plural.ts';

const plural = pluralFor('en');

/** Words that several views use. */
export const common = {
  product: 'Curfew',
  units: { d: 'd', h: 'h', min: 'min', s: 's', ms: 'ms' },
  ago: (length: string) => `${length} ago`,
  now: 'just now',
  processes: (count: number) => plural(count, { one: '# process', other: '# processes' }),
  jobs: (count: number) => plural(count, { one: '# job', other: '# jobs' }),
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
  copied: 'Copied',
  copyCommand: 'Copy command',
  mode: { enforce: 'Enforcing', observe: 'Observing' },
  owner: { live: 'session live', gone: 'session ended', unknown: 'session unknown' },
  control: {
    newline: 'line break',
    tab: 'tab',
    character: (code: string) => `control character ${code}`,
  },
  failure: {
    title: 'That did not work',
    offline: 'Curfew can’t be reached.',
  },
  whole: 'Show the whole command',
  less: 'Show less',
};
