import { pluralFor } from './plural.ts';

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
  enforceAsk: {
    title: 'Let Curfew end jobs?',
    body: (count: number) =>
      plural(count, {
        one: 'It would end # job now, once you were warned:',
        other: 'It would end # jobs now, once you were warned:',
      }),
    more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
    confirm: 'Enforce',
  },
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
  /** A page in a browser, and how it gets on. */
  page: {
    counted: (needing: number, title: string) => `(${needing}) ${title}`,
    unconnected: 'This page is not connected to Curfew.',
    unconnectedAdvice: 'Open it from the tray, or start it with “curfew web” and use the address that it prints.',
    signedOut: 'Curfew doesn’t know this browser.',
    signedOutSince: (time: string) =>
      `Curfew was restarted and doesn’t know this browser any more. This is how things were at ${time}.`,
    signedOutAdvice:
      'An address signs one browser in, once, and a restart signs everybody out. Run “curfew web” in a terminal and open the address that it prints; this page then goes on by itself.',
    offline: 'Curfew can’t be reached.',
    offlineAdvice: 'This page tries again by itself. If it doesn’t come back, start it with “curfew web”.',
    tooMany: 'Too much was asked at once. Try again in a moment.',
    refused: 'Curfew did not accept this. Load the page again: it may be older than the Curfew that serves it.',
    late: 'Curfew took too long to answer.',
    noClipboard: 'The browser doesn’t let this page use the clipboard. Select the text and copy it instead.',
  },
  whole: 'Show the whole command',
  less: 'Show less',
};
