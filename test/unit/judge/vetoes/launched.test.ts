import { describe, expect, test } from 'vitest';
import { coalitionName } from '../../../../app/process/launched.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { rowOf, tableOf } from '../job-builder.ts';
import { vetoesOn } from './ask.ts';

const rows = tableOf(rowOf(1, ['/sbin/launchd']));
const orphan = { ppid: asPid(1) };

describe('an application of macOS', () => {
  test.each([
    ['Word, opened with `open -a`', '/Applications/Microsoft Word.app/Contents/MacOS/Microsoft Word'],
    ['one without a window', '/Users/me/Applications/Obsidian.app/Contents/MacOS/Obsidian'],
    ['one inside another', '/Applications/Note.app/Contents/Frameworks/Note Helper.app/Contents/MacOS/Note Helper'],
  ])('%s, below launchd, is never ended', (_what, path) => {
    expect(vetoesOn([path], { row: orphan, context: { rows } })).toContain('service-manager');
    expect(vetoesOn(['x'], { row: orphan, facts: { executable: path }, context: { rows } })).toContain(
      'service-manager',
    );
  });

  test('that a tool call runs itself is a part of its job', () => {
    const row = { ppid: asPid(70) };
    expect(vetoesOn(['/p/node_modules/electron/dist/Electron.app/Contents/MacOS/Electron', '.'], { row })).toEqual([]);
  });

  test.each([['/opt/homebrew/bin/redis-server'], ['/Users/me/My.app/server.js'], ['/p/Contents/MacOS/tool']])(
    '%s is none',
    (path) => {
      expect(vetoesOn([path], { row: orphan, context: { rows } })).toEqual([]);
    },
  );
});

describe('coalitions', () => {
  const inCoalition = (coalition: number, leads = false) => ({ launched: { coalition, leads } });
  const ownerServices = [coalitionName(50)];

  test('what launchd started in another one than the agent’s is never ended', () => {
    expect(vetoesOn(['redis-server'], { facts: inCoalition(51), context: { ownerServices } })).toEqual([
      'service-manager',
    ]);
    expect(vetoesOn(['redis-server'], { facts: inCoalition(50), context: { ownerServices } })).toEqual([]);
    expect(vetoesOn(['redis-server'], { facts: inCoalition(50, true), context: { ownerServices } })).toEqual([]);
  });

  test('where the agent’s is unknown, what launchd started first in its own is spared', () => {
    expect(vetoesOn(['redis-server'], { facts: inCoalition(51, true) })).toEqual(['service-manager']);
    expect(vetoesOn(['redis-server'], { facts: inCoalition(51) })).toEqual([]);
  });

  test('a reader that tells none says nothing', () => {
    expect(vetoesOn(['redis-server'], { context: { ownerServices } })).toEqual([]);
  });

  test('where the kernel did not answer, launchd may have started it', () => {
    const facts = { launched: 'untold' } as const;
    expect(vetoesOn(['redis-server'], { facts, context: { ownerServices } })).toEqual(['service-manager']);
    expect(vetoesOn(['redis-server'], { facts })).toEqual(['service-manager']);
  });
});
