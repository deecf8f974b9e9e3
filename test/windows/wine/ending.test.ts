import { expect, test } from 'vitest';
import { agentWith, command, desktop, playScene, reportOf } from './play.ts';
import type { Step } from './programs/plan.ts';

/** What a session left is due at once; a look saw it, while its agent lived. */
const atOnce: Step = { do: 'curfew', args: ['settings', 'set', 'orphanGraceSeconds', '0'] };
const look: Step = { do: 'curfew', args: ['scan', '--json'] };
const reap: Step = { do: 'curfew', args: ['reap', '--max-age', '0s', '--grace', '1s', '--json'] };

test('doctor reproduces every fact, and can end by held handles', () => {
  const { runs, problem } = playScene([{ do: 'curfew', args: ['doctor'] }]);
  expect(problem).toBeNull();
  expect(runs[0]?.out).toContain('14 known facts were reproduced through ntdll');
  expect(runs[0]?.out).toContain('held handle');
  expect(runs[0]?.status).toBe(0);
});

test('what a dead session left is ended whole, and nothing of a living one', () => {
  const { runs, alive, problem } = playScene([
    desktop,
    { do: 'plant', planted: agentWith('living', command('living call', { children: [command('its child')] })) },
    {
      do: 'plant',
      planted: agentWith(
        'dead',
        command('left', { children: [command('left child', { console: 'none', children: [command('left below')] })] }),
        command('left too'),
        command('kept', { env: { CURFEW_KEEP: '1' } }),
      ),
    },
    { do: 'plant', planted: { id: 'mine', file: 'server' } },
    look,
    { do: 'end', id: 'dead' },
    atOnce,
    reap,
    { do: 'curfew', args: ['history', '--json'] },
    { do: 'curfew', args: ['scan', '--json', '--all'] },
  ]);
  expect(problem).toBeNull();
  expect(alive).toEqual(['its child', 'kept', 'living', 'living call', 'mine', 'taskbar', 'user']);
  const [before, , history, after] = runs.filter(({ args }) => args[0] !== 'settings').map(reportOf);
  expect(before?.jobs.map(({ owner }) => owner)).toEqual(['live', 'live', 'live']);
  expect(history?.incidents.map(({ outcome, freed }) => `${outcome} ${freed.processes}`).toSorted()).toEqual([
    'killed 1',
    'killed 3',
  ]);
  const kept = after?.jobs.filter(({ vetoes }) => vetoes.length > 0);
  expect(kept?.map(({ vetoes }) => vetoes.map(({ code }) => code))).toEqual([['keep-marker']]);
});

test('programs of the user that carry the marks of a dead session stay', () => {
  const below = (id: string): { readonly children: readonly [ReturnType<typeof command>] } => ({
    children: [command(id, { console: 'none' })],
  });
  const { runs, alive, problem } = playScene([
    desktop,
    {
      do: 'plant',
      planted: agentWith(
        'agent',
        command('opens an editor', { children: [{ id: 'editor', file: 'code', console: 'none', ...below('in it') }] }),
        command('opens a file', { children: [{ id: 'window', file: 'notepad', console: 'none' }] }),
        command('starts the desktop', {
          children: [{ id: 'explorer', file: 'explorer', console: 'none', ...below('from the desktop') }],
        }),
      ),
    },
    { do: 'wait', ms: 1_500 },
    { do: 'end', id: 'opens an editor' },
    { do: 'end', id: 'opens a file' },
    { do: 'end', id: 'starts the desktop' },
    { do: 'end', id: 'agent' },
    reap,
    { do: 'curfew', args: ['scan', '--json', '--all'] },
  ]);
  expect(problem).toBeNull();
  expect(alive).toEqual(['editor', 'explorer', 'from the desktop', 'in it', 'taskbar', 'user', 'window']);
  const vetoes = runs
    .slice(1)
    .flatMap((ran) => reportOf(ran).jobs.flatMap((job) => job.vetoes.map(({ code }) => code)));
  expect(new Set(vetoes)).toEqual(new Set(['desktop', 'editor', 'window']));
});

test('a console hears of its end, and so does no other', () => {
  const { alive, asked, problem } = playScene([
    desktop,
    {
      do: 'plant',
      planted: {
        id: 'shell of the user',
        file: 'mine',
        console: 'own',
        children: [
          // Not without a console: what is started so, and all below it, is deaf to the event.
          // So it shares its agent's session, and is a call by how its shell is run.
          agentWith('agent', command('call', { console: 'own', inShell: true, children: [command('beside it')] })),
        ],
      },
    },
    look,
    // The shell ends with it, because Node asks Windows for that.
    { do: 'end', id: 'agent' },
    atOnce,
    { do: 'curfew', args: ['reap', '--max-age', '0s', '--grace', '30s', '--json'] },
  ]);
  expect(problem).toBeNull();
  expect(alive).toEqual(['shell of the user', 'taskbar', 'user']);
  expect(asked.toSorted()).toEqual(['beside it', 'call']);
});
