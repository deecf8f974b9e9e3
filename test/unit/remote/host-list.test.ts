import { expect, test } from 'vitest';
import { parseHostList } from '../../../app/remote/host-list.ts';

test('one machine a line, each once, without remarks and blank lines', () => {
  expect(parseHostList('web1\r\n  me@build # the fast one\n\n# none\nweb1\nlocal\n[::1]\n')).toEqual({
    hosts: ['web1', 'me@build', 'local', '[::1]'],
    bad: [],
  });
});

test('a line that may not be handed to ssh is named with its number', () => {
  expect(parseHostList('web1\n-oProxyCommand=id\nweb 2')).toEqual({
    hosts: ['web1'],
    bad: [
      { line: 2, text: '-oProxyCommand=id' },
      { line: 3, text: 'web 2' },
    ],
  });
});
