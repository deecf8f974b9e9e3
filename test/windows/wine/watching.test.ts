import { expect, test } from 'vitest';
import { agentWith, command, desktop, playScene } from './play.ts';
import type { Step } from './programs/plan.ts';

const set = (key: string, value: string): Step => ({ do: 'curfew', args: ['settings', 'set', key, value] });
const quickly = [
  set('mode', 'enforce'),
  set('orphanGraceSeconds', '0s'),
  set('noticeSeconds', '0s'),
  set('scanIntervalSeconds', '1s'),
  set('backgroundKillGraceSeconds', '1s'),
];

test('a watch ends what a session leaves, and spares one that got the number of its dead parent', () => {
  const { alive, pids, problem, runs } = playScene([
    ...quickly,
    desktop,
    { do: 'plant', planted: agentWith('living', command('living call')) },
    {
      do: 'plant',
      planted: agentWith('agent', command('shell', { children: [command('left', { console: 'none' })] })),
    },
    {
      do: 'watch',
      args: ['--enforce', '--json'],
      meanwhile: [
        { do: 'wait', ms: 4_000 },
        { do: 'end', id: 'shell' },
        { do: 'reuse', id: 'shell', as: 'mine' },
        { do: 'end', id: 'agent' },
      ],
      gone: ['left'],
      thenMs: 4_000,
    },
    { do: 'curfew', args: ['history', '--json'] },
  ]);
  expect({ problem, err: problem === null ? '' : runs.map(({ err }) => err) }).toEqual({ problem: null, err: '' });
  expect(pids['mine']).toBe(pids['shell']);
  expect(alive).toEqual(['living', 'living call', 'mine', 'taskbar', 'user']);
});
