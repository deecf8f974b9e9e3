import { describe, expect, test } from 'vitest';
import type { AgentNote } from '../../../../app/jobs/lineage/evidence.ts';
import { environments, muxShell } from '../plant.ts';
import { World } from '../world.ts';

const output = '/tmp/mux-bashes/w/bash_1/output.log';

const named = (note: AgentNote | null, withShell = true) => {
  const env = environments.mux('w');
  const world = new World(
    { pid: 34, argv: 'mux' },
    ...(withShell ? [{ pid: 80, sid: 79, pgid: 80, argv: muxShell('npm test'), outputs: [output] }] : []),
    { pid: 81, sid: 79, pgid: 80, argv: 'node test.js', env, outputs: [output] },
  );
  world.describe = (_, path) => (path === output ? note : null);
  return world.look().jobWith(81);
};

describe('the name that an agent gives', () => {
  test('is the name of the job, and the noted command its command where nothing else tells it', () => {
    const note = { displayName: 'Tests', script: 'npm test -- --token=abcdef0123456789abcdef', pid: 80 };
    expect(named(note)).toMatchObject({ name: 'Tests', command: 'npm test' });
    expect(named(note, false).name).toBe('Tests');
    expect(named(note, false).command).toMatch(/^npm test -- --token=(?!abc)/u);
  });

  test('is foreign text: one line, bounded, and without secrets', () => {
    const nameOf = (displayName: string) => named({ displayName, script: null, pid: 80 }).name;
    expect(nameOf('a\u0000b\u001b]0;title\u0007c\nd\u2028e')).toBe('a b ]0;title c d e');
    expect(nameOf(' \n\t ')).toBeUndefined();
    expect(nameOf('x'.repeat(1000))).toHaveLength(200);
    expect(nameOf('API_KEY=sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).not.toContain('aaaaaaaa');
  });

  test('a note about another process names nothing', () => {
    for (const pid of [null, 34, 9999])
      expect(named({ displayName: 'Other', script: 'rm -rf /', pid })).not.toHaveProperty('name');
  });
});
