import { describe, expect, test } from 'vitest';
import { graceSecondsFor, isWorkInProgress } from '../../../app/reap/grace.ts';

const row = (...argv: readonly string[]): { argv: readonly string[]; comm: string } => ({
  argv,
  comm: (argv[0] ?? '').slice((argv[0] ?? '').lastIndexOf('/') + 1).slice(0, 15),
});

describe('work in progress', () => {
  for (const argv of [
    ['git', 'gc'],
    ['/usr/lib/git-core/git-index-pack', '--stdin'],
    ['postgres: checkpointer'],
    ['/usr/lib/postgresql/16/bin/postgres', '-D', 'data'],
    ['redis-server *:6379'],
    ['sqlite3', 'shop.db'],
    ['apt-get', 'install', 'x'],
  ])
    test(`${argv.join(' ')} gets thirty seconds at least`, () => {
      expect(graceSecondsFor([row('sleep', '9'), row(...argv)], 10)).toBe(30);
      expect(graceSecondsFor([row(...argv)], 0)).toBe(30);
      expect(graceSecondsFor([row(...argv)], 60)).toBe(60);
    });

  for (const argv of [['node', 'git'], ['grep', 'postgres'], ['gitk'], ['vim', 'git.md'], []])
    test(`${argv.join(' ') || 'no command line'} is none`, () => {
      expect(isWorkInProgress(row(...argv))).toBe(false);
      expect(graceSecondsFor([row(...argv)], 10)).toBe(10);
    });

  test('a name that the kernel alone knows counts', () => {
    expect(isWorkInProgress({ argv: [], comm: 'mysqld' })).toBe(true);
  });
});
