import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

export const files = {
  title: 'Files',
  loading: 'Asking git and looking through files…',
  worktrees: 'Worktrees',
  locks: 'Locks',
  left: 'Left by closed sessions',
  heaps: 'Also take up space',
  removals: 'Removed lately',
  emptyTitle: 'Nothing was left',
  emptyBody: 'Worktrees, locks and files of closed sessions appear here.',
  mayGo: 'May go',
  stays: 'Stays',
  byName: 'May go by name',
  noBranch: 'no branch',
  made: (name: string) => `of ${name}`,
  used: 'used',
  changed: 'changed',
  inMemory: (size: string) => `${size} in memory`,
  count: (count: number) => plural(count, { one: '1 file', other: '# files' }),
  total: (things: number, size: string) =>
    `${plural(things, { one: 'One entry', other: '# entries' })} may go: ${size}`,
  nothing: 'Nothing may go now.',
  kept: (count: number) =>
    `${plural(count, { one: '1 other file', other: '# other files' })} may be in use or too young`,
  remove: 'Remove…',
  removeNamed: (path: string) => `Remove ${path}…`,
  removeAll: (things: number) => `Remove ${plural(things, { one: 'one entry', other: '# entries' })}…`,
  askTitle: (things: number) => `Remove ${plural(things, { one: 'this', other: '# entries' })}?`,
  askBody: 'Each is looked at again first: what came into use or changed stays. Removed for good.',
  named: 'Why it would stay without your word:',
  preview: 'What is removed',
  confirm: 'Remove',
  removing: 'Removing…',
  stayed: (count: number) => `${plural(count, { one: 'One entry', other: '# entries' })} stayed:`,
  by: { command: 'by the command line', person: 'by you, here' },
};
