import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { geminiGuard } from '../../../app/agents/gemini/answers.ts';
import type { GuardDecision } from '../../../app/guard/decide.ts';
import { decide } from '../../../app/guard/decide.ts';
import type { GuardFacts } from '../../../app/guard/script/guard-call.ts';
import { maxCommandLength } from '../../../app/guard/script/parse-script.ts';
import type { BoundingMode, GuardSettings } from '../../../app/guard/settings.ts';
import { defaultGuard, guardRuleIds, modesOf } from '../../../app/guard/settings.ts';
import { pieces, told } from './commands.ts';
import { hasShell } from '../../needs.ts';

const facts: GuardFacts = {
  shell: geminiGuard.shell,
  platform: 'linux',
  root: false,
  agentProcesses: [{ name: 'claude', commandLine: 'claude' }],
};

const allAt = (mode: BoundingMode): GuardSettings => ({
  ...defaultGuard,
  ...(Object.fromEntries(
    guardRuleIds.map((rule) => [rule, modesOf(rule).includes(mode) ? mode : 'off']),
  ) as Partial<GuardSettings>),
  enabled: true,
});

const said = (command: string, mode: BoundingMode, background = true): GuardDecision =>
  decide({ command, background }, facts, allAt(mode), { possible: true, program: () => 'timeout' });

/**
 * Bash's own word on whether this is a command. It says nothing of here-documents without an end,
 * which it takes.
 */
const parsesInBash = (command: string): boolean => spawnSync('bash', ['-n'], { input: command }).status === 0;

const bashIsThere = hasShell();

const noise = fc.array(fc.constantFrom(...pieces, ...told), { maxLength: 12 }).map((parts) => parts.join(''));

/** A command that a rule knows, with something cut out and something put in. */
const damaged = fc
  .tuple(fc.constantFrom(...told), fc.nat(), fc.nat(4), fc.constantFrom('', ...pieces))
  .map(([command, place, length, piece]) => {
    const at = place % (command.length + 1);
    return command.slice(0, at) + piece + command.slice(at + length);
  });

test('the building blocks of other commands are found by themselves', () => {
  for (const command of told) expect(said(command, 'warn').kind).toBe('warn');
});

test('any text is decided without an error, and no rule reports without a finding', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), noise, damaged),
      fc.boolean(),
      (command, background) => {
        for (const mode of ['off', 'warn', 'deny', 'rewrite'] as const) {
          const decision = said(command, mode, background);
          expect(['pass', mode === 'rewrite' ? 'warn' : mode, mode]).toContain(decision.kind);
          const sentences = decision.kind === 'pass' ? [] : decision.sentences;
          expect(sentences.every((sentence) => sentence.length > 20)).toBe(true);
        }
        expect(
          decide(
            { command, background },
            facts,
            { ...allAt('deny'), enabled: false },
            { possible: true, program: () => 'timeout' },
          ),
        ).toEqual({ kind: 'pass' });
      },
    ),
    { numRuns: 1000 },
  );
});

test.skipIf(!bashIsThere)('what bash would not read is never refused', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, noise), (command) => {
      // A program can be given no argument with a zero byte in it, so agents never run one.
      if (command.includes('\0') || said(command, 'deny').kind === 'pass') return;
      expect(parsesInBash(command)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a command with a limit put in is the same command, is read by bash where there is one, and needs none any more', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, noise), (command) => {
      const decision = said(command, 'rewrite');
      if (decision.kind !== 'rewrite') return;
      expect(decision.command.replaceAll('timeout 1800 ', '')).toBe(command.replaceAll('timeout 1800 ', ''));
      expect(said(decision.command, 'rewrite').kind).toBe('pass');
      expect(!bashIsThere || command.includes('\0') || parsesInBash(decision.command)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('nothing nested or repeated takes the guard long', () => {
  const repeated = [
    '$(',
    '((',
    '{ ',
    '"$(',
    '`',
    '${a:-',
    '<<a ',
    '<<a\n',
    'if a; then ',
    'case a in b) ',
    'a;',
    'a|',
    '[[ ( ',
    'function f ',
    'coproc ',
    'pkill -f a; ',
    'kill %1 & ',
    'timeout 1 ',
    'env A=1 ',
    'cat < a; ',
  ];
  for (const piece of repeated) {
    const most = piece.repeat(Math.floor(maxCommandLength / piece.length));
    // Vitest's own limit of a minute fails this; longer texts are not read at all.
    for (const text of [most, piece.repeat(Math.ceil(100_000 / piece.length))])
      expect(['pass', 'deny']).toContain(said(text, 'deny').kind);
    expect(said(piece.repeat(Math.ceil(100_000 / piece.length)), 'deny')).toEqual({ kind: 'pass' });
  }
});
