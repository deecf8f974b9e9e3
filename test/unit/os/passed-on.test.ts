import { expect, test } from 'vitest';
import { passedOn } from '../../../main/os/programs/passed-on.ts';

test('a child gets what is named and set, and nothing that a repository’s .env brought along', () => {
  const environment = {
    PATH: '/bin',
    HOME: '',
    NODE_OPTIONS: '-r ./x',
    BASH_ENV: './x',
    SHELLOPTS: 'noexec',
    LD_PRELOAD: './x',
  };
  expect(passedOn(['PATH', 'HOME', 'USER'], environment)).toEqual({ PATH: '/bin' });
});
