import { expect, test, vi } from 'vitest';
import { answerSchema } from './answer-schema.ts';
import { questionNames, questions } from '../../../app/contract/contract.ts';
import { answerQuestion, type Answerers } from '../../../app/contract/answerers.ts';

/** Answerers that refuse everything but what a test gives. */
const answering = (given: Partial<Answerers>): Answerers => {
  const refused = {
    ok: false,
    failure: { code: 'unsupported', message: 'not here', advice: null, fields: [] },
  } as const;
  return { ...Object.fromEntries(questionNames.map((name) => [name, () => refused])), ...given } as Answerers;
};

test('a name that is not in the contract is refused, also one that every object has', async () => {
  const answer = await answerQuestion(answering({}), 'toString', {}, vi.fn());
  expect(answer).toMatchObject({ ok: false, failure: { code: 'invalid' } });
});

test('input that makes no sense never reaches the answerer and is refused at its field', async () => {
  const reap = vi.fn<Answerers['job.reap']>();
  const answer = await answerQuestion(answering({ 'job.reap': reap }), 'job.reap', { job: '../../etc' }, vi.fn());
  expect(reap).not.toHaveBeenCalled();
  expect(answer).toMatchObject({ ok: false, failure: { code: 'invalid', fields: [{ path: 'job' }] } });
});

test('defaults are filled in before the answerer sees the input', async () => {
  const reap = vi.fn<Answerers['job.reap']>(() => ({ ok: true, value: { reaping: 'r1' } }));
  await answerQuestion(answering({ 'job.reap': reap }), 'job.reap', { job: '1a2b' }, vi.fn());
  expect(reap).toHaveBeenCalledWith({ job: '1a2b', host: 'local' });
});

test('what an answerer throws stays inside: the window learns that it failed, the log learns why', async () => {
  const report = vi.fn();
  const throwing = answering({
    'job.keep': () => {
      throw new Error('/home/me/secret');
    },
  });
  const answer = await answerQuestion(throwing, 'job.keep', { job: '1a2b', seconds: 1800 }, report);
  expect(answer).toMatchObject({ ok: false, failure: { code: 'failed' } });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(report).toHaveBeenCalledOnce();
});

test('an answer that breaks the contract is not passed on', async () => {
  const report = vi.fn();
  const wrong = answering({ 'job.keep': () => ({ ok: true, value: { until: 'soon' } }) });
  const answer = await answerQuestion(wrong, 'job.keep', { job: '1a2b', seconds: 1800 }, report);
  expect(answer).toMatchObject({ ok: false, failure: { code: 'failed' } });
  expect(report).toHaveBeenCalledOnce();
});

test('every reply has the form of an answer, so that the receiving side can check it', async () => {
  const schema = answerSchema(questions['job.keep'].output);
  const until = '2026-11-21T02:30:00.000Z';
  const kept = answering({ 'job.keep': () => ({ ok: true, value: { until } }) });
  const answers = [
    await answerQuestion(kept, 'job.keep', { job: '1a2b', seconds: 1800 }, vi.fn()),
    await answerQuestion(kept, 'job.keep', { job: '1a2b', seconds: -1 }, vi.fn()),
    await answerQuestion(answering({}), 'job.keep', { job: '1a2b', seconds: 1800 }, vi.fn()),
  ];
  expect(answers.map((answer) => schema.parse(answer))).toEqual(answers);
  expect(schema.safeParse({ ok: true, value: { until: 'soon' } }).success).toBe(false);
});

test('every question refuses input of the wrong kind', () => {
  const lenient = questionNames.filter((name) => questions[name].input.safeParse('nonsense').success);
  expect(lenient).toEqual([]);
});
