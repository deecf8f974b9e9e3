import { expect, test } from 'vitest';
import { recordableEvent, recordableIntent, type Redact } from '../../../app/history/redaction.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { ended, sampleIntent, sent } from './sample.ts';
import { safe } from '../safe-text.ts';

const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

test('no secret gets into the record by any text of an intent', () => {
  const process = { pid: 2, ppid: 1, startTicks: 1, args: `gh auth --with-token ${secret}`, rssBytes: 1 };
  const intent = sampleIntent({
    command: `GITHUB_TOKEN=${secret} npm publish`,
    ownerEvidence: safe(`started with ${secret}`),
    evidence: [safe(`its shell ran ${secret}`)],
    processes: [process],
    reasons: [{ code: 'exempt', figures: { command: secret, ageSeconds: 5 } }],
  });
  const kept = recordableIntent(intent, redactCommand);
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(kept.reasons[0]?.figures['ageSeconds']).toBe(5);
  expect(kept.processes[0]).toMatchObject({ pid: 2, ppid: 1, startTicks: 1 });
});

test('no secret gets into the record by what happens afterwards', () => {
  const process = { pid: 2, ppid: 1, startTicks: 1, args: safe(secret), rssBytes: 1 };
  const signal = sent(1);
  const events = [
    signal.kind === 'signal' ? { ...signal, signal: { ...signal.signal, note: safe(`refused by ${secret}`) } } : signal,
    { kind: 'veto', atMs: 1, vetoes: [{ code: 'agent', pid: 2, figures: { name: secret } }] } as const,
    { kind: 'note', atMs: 1, text: safe(secret) } as const,
    ended(1, { survivors: [process], outputTail: safe(`token ${secret}`) }),
  ];
  for (const event of events) {
    expect(JSON.stringify(event)).toContain(secret);
    expect(JSON.stringify(recordableEvent(event, redactCommand))).not.toContain(secret);
  }
});

test('a secret that the length limit would cut in half is hidden before it is cut', () => {
  const hidden: Redact = (text) => safe(text.replaceAll(secret, '***'));
  const { command } = recordableIntent(sampleIntent({ command: 'x'.repeat(15_980) + secret }), hidden);
  expect(command).not.toContain('ghp_');
});

test('the record of a huge job stays a record', () => {
  const one = { pid: 2, ppid: 1, startTicks: 1, args: safe('x').repeat(130_000), rssBytes: 1 };
  const kept = recordableIntent(
    sampleIntent({ command: 'y'.repeat(1_000_000), processes: Array.from({ length: 5_000 }, () => one) }),
    safe,
  );
  expect(JSON.stringify(kept).length).toBeLessThan(5_000_000);
  expect(kept.command.endsWith('…')).toBe(true);
});

test('of a long output the end is kept, and no half secret at its beginning', () => {
  const tailOf = (outputTail: string): string | null => {
    const event = recordableEvent(ended(1, { outputTail: safe(outputTail) }), redactCommand);
    return event.kind === 'ended' ? event.outputTail : null;
  };
  expect(tailOf(`${'line of output\n'.repeat(5_000)}the error`)).toMatch(/the error$/);
  const rest = ` ${'y '.repeat(3_980)}`;
  expect(tailOf(`${'x '.repeat(5_000)}${secret}${rest}`)).not.toContain(secret.slice(-15));
  expect(tailOf('z'.repeat(50_000))).toBe('…');
});
