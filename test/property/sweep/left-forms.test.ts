import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { dossiers } from '../../../app/agents/dossiers.ts';
import type { LeftForm, PathStep } from '../../../app/sweep/left-form.ts';

const forms: readonly LeftForm[] = agentIds.flatMap((agent) => {
  const { leftFiles } = dossiers[agent];
  return leftFiles === 'none' ? [] : leftFiles;
});
const removable = forms.filter((form) => form.may === 'remove');

const fits = (step: PathStep, name: string): boolean => (typeof step === 'string' ? step === name : step.test(name));
const fitsPath = (form: { readonly path: readonly PathStep[] }, parts: readonly string[]): boolean =>
  form.path.length === parts.length && form.path.every((step, at) => fits(step, parts[at] ?? ''));

const uuid = fc.uuid();
const slug = fc.constantFrom('-home-me-shop', '-tmp', 'x');
const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,30}$/u);

/** What a resumed session reads, or an agent remembers: paths below any of the places. */
const precious: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.tuple(
    fc.constant('projects'),
    slug,
    uuid.map((id) => `${id}.jsonl`),
  ),
  fc.tuple(
    fc.constant('sessions'),
    fc.integer({ min: 2, max: 9999999 }).map((pid) => `${pid}.json`),
  ),
  fc.tuple(
    fc.constant('sessions'),
    fc.integer({ min: 2, max: 9999999 }).map((pid) => `${pid}.key`),
  ),
  fc.tuple(
    fc.constant('sessions'),
    fc.constant('2026'),
    fc.constant('11'),
    name.map((one) => `rollout-${one}.jsonl`),
  ),
  fc.tuple(fc.constant('session-state'), uuid, fc.constantFrom('events.jsonl', 'inuse.4711.lock', 'workspace.yaml')),
  fc.tuple(fc.constantFrom('tmp', 'chats', '.local'), name, fc.constantFrom('chats', 'logs.json')),
  fc.tuple(name.map((one) => `${one}.sqlite`)),
  fc.tuple(name.map((one) => `${one}.sqlite-wal`)),
  fc.tuple(name.map((one) => `${one}.db`)),
  fc.tuple(
    fc.constant('debug'),
    name.map((one) => `${one}.txt`),
  ),
  fc.tuple(fc.constant('packages'), name),
);

describe('the forms of files that may be deleted', () => {
  test('hit no transcript, registry, database, log or package', () => {
    fc.assert(
      fc.property(precious, (parts) => {
        expect(removable.filter((form) => fitsPath(form, parts))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('hit no file of a name that is merely similar', () => {
    const similar = fc.constantFrom(
      ['.0123456789abcdef-00000000.so.bak'],
      ['x.0123456789abcdef-00000000.so'],
      ['0123456789abcdef-00000000.so'],
      ['claude-b71a-cwd.txt'],
      ['my-claude-b71a-cwd'],
      ['claude-0', '-home', '43c8e917-0000-4000-8000-00000000000a', 'notes.output'],
      ['claude-0', '-home', 'tasks', 'b1.output'],
      ['gemini-shell-aB3dE6', 'notes.txt'],
      ['gemini-shell-aB3dE6-old', 'bgpids.tmp'],
      ['cc-socks', 'agent.sock'],
      ['codex-daemon-0', 'state.json'],
      ['copilot-detached-s2.txt'],
    );
    fc.assert(
      fc.property(similar, (parts) => {
        expect(removable.filter((form) => fitsPath(form, parts))).toEqual([]);
      }),
    );
  });

  test('are anchored at both ends, so nothing before or after a name hides in it', () => {
    const patterns = forms.flatMap(({ path }) => path.filter((step) => step instanceof RegExp));
    expect(patterns.length).toBeGreaterThan(10);
    for (const { source, flags } of patterns) {
      expect({ source, whole: source.startsWith('^') && source.endsWith('$') }).toEqual({ source, whole: true });
      expect(flags).not.toMatch(/[gimy]/u);
    }
  });

  test('name their owner in the path where its end is asked for', () => {
    const group = { session: '(?<session>', process: '(?<pid>', agent: '', kept: '', holders: '' } as const;
    const nameless = removable.filter(
      ({ path, dead }) =>
        !path.some((step) => (step instanceof RegExp ? step.source : step).includes(group[dead.ended])),
    );
    expect(nameless).toEqual([]);
  });

  test('take no folder away but those of one session or command', () => {
    for (const { path, emptied = 0 } of removable) {
      const folders = path.slice(0, -1).slice(path.length - 1 - emptied);
      for (const step of folders.slice(0, 1)) expect(step).toBeInstanceOf(RegExp);
    }
  });
});
