import type { ShownSessionState } from '../../../app/contract/views/session-costs.ts';
import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

export const sessions = {
  title: 'Sessions',
  loading: 'Measuring…',
  emptyTitle: 'No session is running',
  emptyBody: 'Sessions of coding agents appear here with what they cost.',
  state: {
    live: 'Running',
    gone: 'Closed',
    unknown: 'Unknown',
    unreachable: 'Unreachable',
  } satisfies Record<ShownSessionState, string>,
  servers: (count: number) => plural(count, { one: '# server', other: '# servers' }),
  copies: (copies: number, owners: number) =>
    `${plural(copies, { other: '# copies' })} in ${plural(owners, { one: 'one session', other: '# sessions' })}`,
  ofSession: (servers: number, size: string, copies: number) =>
    `This session: ${plural(servers, { one: '# server', other: '# servers' })}, ${size}${
      copies < 2 ? '' : `, ${copies} copies of one command`
    }`,
  swap: (size: string) => `${size} in swap`,
  frees: (size: string) => `frees ${size}`,
  atMost: (size: string) => `at most ${size}`,
  unreachableTitle: 'Agents that can’t be reached any more',
  allTitle: 'All sessions',
  otherTitle: 'Other sessions',
  duplicatesTitle: 'The same command several times',
  wayBack: 'Its servers end with it. This command lets the session go on with its transcript:',
  noWayBack: 'No command is known that resumes this session. Its servers end with it.',
  older: {
    heading: 'Older sets of servers',
    end: (sets: number, size: string) => `End ${plural(sets, { one: '# older set', other: '# older sets' })}, ${size}…`,
    title: (sets: number) => plural(sets, { one: 'End # older set?', other: 'End # older sets?' }),
    body: 'A younger set of the same command runs under the same agent, and these moved no byte for 6 h. The youngest stays.',
    waiting: (sets: number) => plural(sets, { one: '# more may be in use', other: '# more may be in use' }),
  },
  column: {
    session: 'Session',
    age: 'Age',
    memory: 'Memory',
    cpu: 'CPU',
    jobs: 'Jobs',
    servers: 'Servers',
    duplicates: 'Duplicates',
  },
  measured:
    'Memory is the proportional share of each process; “at most” marks resident size, where that can’t be read. “Frees” is what ending the session gives back.',
};
