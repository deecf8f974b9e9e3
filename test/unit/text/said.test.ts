import { describe, expect, test } from 'vitest';
import type { Said } from '../../../app/format/said.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { answerQuestion } from '../../../app/contract/answerers.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import type { Departure } from '../../../app/history/departure.ts';
import type { VetoCode } from '../../../app/judge/verdict.ts';
import type { HostProblemCode } from '../../../app/remote/host-problem.ts';
import { sayHostProblem } from '../../../app/text/host-problem.ts';
import type { SettingsProblem } from '../../../app/settings/notice.ts';
import { germanForms } from '../../../app/text/catalogue/index.ts';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { sayDeparture } from '../../../app/text/departure.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { sayRuleTest } from '../../../app/text/settings/rule-test.ts';
import { inEnglish, joined, say, sayObjection } from '../../../app/text/say.ts';
import { saySettingsProblem } from '../../../app/text/settings/notices.ts';
import { sayHeap, sayLeftFiles } from '../../../app/text/sweep.ts';
import { englishVoice } from '../../../app/text/voice.ts';
import { staleKinds } from '../../../app/sweep/stale-file.ts';
import { asJobId } from '../../../app/model/job.ts';
import { StoreFailure, type StoreProblem } from '../../../main/store/database/store-failure.ts';

const figure = /\{(\w+)\}/gu;
const namesIn = (form: string): readonly string[] => [...form.matchAll(figure)].map(([name]) => name);

/** Words of the English sentences that stay in no German one. */
const englishWord = /\b(?:the|its?|is|and|which|that|of|could|can’t|can't)\b/iu;

const untranslated = (sentences: readonly Said[]): readonly (readonly [string, string])[] =>
  sentences
    .map((sentence) => [inEnglish(sentence), germanVoice.said(sentence)] as const)
    .filter(([sentence, said]) => said === sentence || englishWord.test(said.replace(/„[^“]*“/gu, '')));

describe('a sentence of the engine', () => {
  test.each(Object.entries(germanForms))('%s', (form, german) => {
    expect(new Set(namesIn(german))).toEqual(new Set(namesIn(form)));
    expect(redactCommand(form)).toBe(form);
    expect(german).not.toContain('`');
  });

  test('is said with its figures, and behind another', () => {
    expect(germanVoice.said(say('Read from {path}.', { path: '/home/me/a.b/settings.json' }))).toBe(
      'Gelesen aus /home/me/a.b/settings.json.',
    );
    const two = joined(say('It was not ended.'), say('Exempt its command instead.'));
    expect(germanVoice.said(two)).toBe('Wurde nicht beendet. Stattdessen lässt sich der Befehl ausnehmen.');
  });

  test('is said with the sentence that is a figure of it', () => {
    const inner = sayObjection({ code: 'editor', figures: { name: 'vim', inside: 7 } });
    expect(germanVoice.said(say('Nothing was signalled: {why}.', { why: inner }))).toBe(
      'Nichts wurde signalisiert: läuft in einem Editor (vim, Prozess 7).',
    );
    const kept = say('Curfew does not end it: process {pid} is protected: {veto}.', { pid: 9, veto: inner });
    expect(germanVoice.said(kept)).toBe(
      'Curfew beendet das nicht: Prozess 9 ist geschützt: läuft in einem Editor (vim, Prozess 7).',
    );
    expect(germanVoice.said(say('Its command was not run: {why}.', { why: say('it runs in a container') }))).toBe(
      'Der Befehl zum Beenden des Dienstes wurde nicht ausgeführt: der Dienst läuft in einem Container.',
    );
  });

  test('has quotation marks for backticks, and what a system said stays as it is', () => {
    const told = 'Run `ls`';
    expect([englishVoice.said(told), germanVoice.said(told)]).toEqual(['Run “ls”', 'Run „ls“']);
    expect(germanVoice.said('EACCES: permission denied')).toBe('EACCES: permission denied');
  });
});

describe('German is there for', () => {
  test('every problem of the settings', () => {
    const rule = { name: 'r', argv0: 'x', argv: ['a'] };
    const key = 'noticeSeconds';
    const problems: { readonly [Code in SettingsProblem['code']]: Extract<SettingsProblem, { readonly code: Code }> } =
      {
        'no-object': { code: 'no-object', shown: '7' },
        'newer-version': { code: 'newer-version', version: 9 },
        'unknown-key': { code: 'unknown-key', shown: '"x"' },
        'bad-value': { code: 'bad-value', key, shown: '"x"', used: 60 },
        'bad-list': { code: 'bad-list', key: 'hosts', shown: '7' },
        'bad-entry': { code: 'bad-entry', key: 'exemptions', index: 0, shown: '7', reasons: [] },
        clamped: { code: 'clamped', maxElapsedSeconds: 9000, hardCapSeconds: 3600 },
        'claude-block-no-object': { code: 'claude-block-no-object', shown: '7' },
        'in-claude-block': { code: 'in-claude-block', problem: { code: 'bad-value', key, shown: '"x"', used: 60 } },
        'no-setting': { code: 'no-setting', shown: '"x"' },
        'refused-value': { code: 'refused-value', key, shown: '"x"' },
        'refused-rules': { code: 'refused-rules', reasons: [{ rule, problem: { code: 'too-broad', part: 'argv' } }] },
        'refused-text': { code: 'refused-text', key, shown: '"x"' },
        'above-cap': { code: 'above-cap', maxElapsedSeconds: 9000, hardCapSeconds: 3600 },
        'file-unusable': { code: 'file-unusable', path: '/p', why: 'EIO' },
        'claude-file-unusable': { code: 'claude-file-unusable', path: '/p', why: 'EIO' },
        'machine-file-unusable': { code: 'machine-file-unusable', path: '/p', why: 'EIO' },
        'in-machine-file': {
          code: 'in-machine-file',
          path: '/p',
          problem: { code: 'bad-value', key, shown: '"x"', used: 60 },
        },
        'copy-kept': { code: 'copy-kept', path: '/p' },
        'copy-not-kept': { code: 'copy-not-kept', why: 'EIO' },
      };
    expect(untranslated(Object.values(problems).map(saySettingsProblem))).toEqual([]);
  });

  test('every reason why a machine is not watched', () => {
    const codes: Readonly<Record<HostProblemCode, true>> = {
      unreachable: true,
      'unknown-name': true,
      'unknown-key': true,
      'changed-key': true,
      denied: true,
      silent: true,
      broken: true,
      senseless: true,
      incapable: true,
      'same-machine': true,
      'no-ssh': true,
      other: true,
    };
    const said = (Object.keys(codes) as readonly HostProblemCode[]).flatMap((code) =>
      ['', 'EIO'].map((detail) => sayHostProblem('build-box', { code, detail: code === 'other' ? 'EIO' : detail })),
    );
    expect(untranslated(said.filter((text) => !inEnglish(text).endsWith(': ')))).toEqual([]);
  });

  test('every problem of Curfew’s own files', () => {
    const problems: Readonly<Record<StoreProblem, true>> = {
      'newer-version': true,
      'foreign-file': true,
      'no-permission': true,
      'read-only': true,
      'disk-full': true,
      busy: true,
      damaged: true,
      'no-file': true,
      'disk-error': true,
      unusable: true,
    };
    const said = (Object.keys(problems) as readonly StoreProblem[]).map(
      (problem) =>
        new StoreFailure({
          problem,
          path: '/home/me/.local/state/curfew/history.db',
          name: 'The history',
          meaning: 'Automatic ending is off while it is so.',
        }).said,
    );
    expect(untranslated(said)).toEqual([]);
  });

  test('every end that Curfew did not cause', () => {
    const departures: { readonly [By in Departure['by']]: readonly Extract<Departure, { readonly by: By }>[] } = {
      'oom-killer': [
        { by: 'oom-killer', pid: 7, sure: true },
        { by: 'oom-killer', pid: 7, sure: false },
      ],
      agent: [
        { by: 'agent', cause: 'memory' },
        { by: 'agent', cause: 'deadline' },
      ],
      'agent-reports': [
        { by: 'agent-reports', status: 'killed' },
        { by: 'agent-reports', status: 'completed' },
      ],
      itself: [{ by: 'itself', exitCode: 3 }],
      signal: [{ by: 'signal', signal: 1 }],
      'curfew-run': [{ by: 'curfew-run' }],
      session: [{ by: 'session' }],
      unknown: [{ by: 'unknown' }],
    };
    const said = Object.values(departures)
      .flat()
      .map((departure) => sayDeparture(departure, 'Codex CLI'));
    expect(untranslated(said)).toEqual([]);
  });

  test('everything that piles up', () => {
    const said = [
      sayPileUp({ code: 'many-shells', agent: 'codex', session: 's1', jobs: 40, project: '/p' }),
      sayPileUp({ code: 'many-shells', agent: 'codex', session: 's1', jobs: 40, project: null }),
      sayPileUp({ code: 'piled-sockets', folder: '/tmp', sockets: 90, sessions: 0 }),
      sayPileUp({ code: 'piled-sockets', folder: '/tmp', sockets: 90, sessions: 1 }),
      sayPileUp({ code: 'large-output', job: asJobId('1a2b3c'), file: '/tmp/x', bytes: 2_000_000_000 }),
      ...staleKinds.map((kind) => sayLeftFiles({ kind, files: 7, bytes: 3e8, bytesInMemory: 1e8, removable: 2e8 })),
      ...(['debug-logs', 'worktrees', 'packages', 'transcripts'] as const).map((kind) =>
        sayHeap({ agent: 'codex', kind, path: '/p', bytes: 3e9 }),
      ),
    ].flatMap(({ text, advice }) => [text, advice]);
    expect(untranslated(said)).toEqual([]);
  });

  test('what a rule test says', () => {
    const none = { matches: [], exemptions: [], program: null };
    const match = { rule: 'r', agent: 'codex', command: null, own: false, onlyIn: null } as const;
    const said = [
      sayRuleTest(none),
      sayRuleTest({ ...none, program: 'codex' }),
      sayRuleTest({ ...none, matches: [match] }),
      sayRuleTest({ ...none, matches: [{ ...match, own: true, onlyIn: '/p' }] }),
    ];
    expect(untranslated(said)).toEqual([]);
  });

  test('vetoes without figures', () => {
    const codes: readonly VetoCode[] = ['init', 'container', 'window', 'traced', 'no-provenance'];
    expect(untranslated(codes.map((code) => sayObjection({ code, figures: {} })))).toEqual([]);
  });

  test('what the exchange itself answers', async () => {
    const broken = { 'watch.look': () => Promise.reject(new Error('x')) } as unknown as Answerers;
    const asked = [
      ['no.such', {}],
      ['watch.pause', {}],
      ['watch.look', {}],
    ] as const;
    const said: Said[] = [];
    for (const [name, input] of asked) {
      const answer = await answerQuestion(broken, name, input, () => undefined);
      if (!answer.ok) said.push(answer.failure.message, answer.failure.advice ?? '');
    }
    expect(untranslated(said.filter((text) => text !== ''))).toEqual([]);
  });
});
