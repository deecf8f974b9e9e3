import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { claudeEnvironment, sessionA, type Plant } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

/** As many leftovers of a session, and as many processes that were not started for it. */
const crowd = (count: number): readonly Plant[] =>
  Array.from({ length: count }, (_, index): readonly Plant[] => [
    { pid: 1000 + index, argv: ['sleep', '333'], env: claudeEnvironment({ session: sessionA, pid: 900 }) },
    { pid: 5000 + index, argv: ['sleep', '444'] },
  ]).flat();

/** How often one look at so many asks for the settings, each time two looks at the disk. */
const readingsOfALook = (count: number): number => {
  const stage = new Stage(...crowd(count));
  const { settings } = stage;
  let readings = 0;
  Object.defineProperty(stage, 'settings', {
    get: () => {
      readings += 1;
      return settings;
    },
  });
  const { jobs, table } = stage.observer.look();
  expect(jobs.size).toBe(count);
  expect(table.rows.size).toBeGreaterThanOrEqual(2 * count);
  return readings;
};

test('settings are read as often for hundreds of processes as for two', () => {
  expect(readingsOfALook(200)).toBe(readingsOfALook(1));
});

test('a rule that the user adds counts at the next look, and no longer when it is taken away', () => {
  const stage = new Stage({ pid: 5000, argv: ['backup', '--all'] });
  const isJob = (): boolean => [...stage.observer.look().jobs.values()].some(({ job }) => job.root.pid === asPid(5000));
  expect(isJob()).toBe(false);
  stage.settings = {
    ...defaultSettings,
    mode: 'enforce',
    rules: [{ name: 'backups', argv0: 'backup', argv: ['--all'] }],
  };
  expect(isJob()).toBe(true);
  stage.settings = { ...defaultSettings, mode: 'enforce', rules: [] };
  stage.ledger = [];
  expect(isJob()).toBe(false);
});
