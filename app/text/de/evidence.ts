import type { Provenance } from '../../jobs/model/job.ts';
import { agentName, agentOfRule } from '../agent-name.ts';
import { numberOf, textOf, type Figures } from '../figures.ts';

const seen = (figures: Figures): string => {
  const atMs = numberOf(figures, 'firstSeenMs');
  const when =
    atMs === null
      ? ''
      : ` am ${new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)}`;
  return `zuerst gesehen${when}`;
};

/** The name of the agent, from a rule or as a record has it. */
const agentIn = (figures: Figures): string | null => {
  const agent = textOf(figures, 'agent');
  return agent === '' ? agentOfRule(textOf(figures, 'rule')) : agent;
};

const wrapper = (figures: Figures): string => {
  const agent = agentIn(figures);
  return agent === null
    ? `das Shell-Werkzeug des Agenten hat es gestartet (${textOf(figures, 'rule')})`
    : `das Shell-Werkzeug von ${agent} hat es gestartet`;
};

const marker = (figures: Figures): string => {
  const agent = agentIn(figures);
  return agent === null
    ? `trägt die Kennung des Agenten in der Umgebung (${textOf(figures, 'rule')})`
    : `trägt die Kennung von ${agent} in der Umgebung`;
};

const sentences: Readonly<Record<Provenance['code'], (figures: Figures) => string>> = {
  wrapper,
  marker,
  output: (figures) => `schreibt in die Ausgabedatei einer Aufgabe (${textOf(figures, 'path')})`,
  ledger: seen,
  parent: (figures) => `von ${agentName(textOf(figures, 'agent'))} gestartet`,
  run: (figures) => `mit „curfew run“ gestartet (${textOf(figures, 'run')})`,
  agent: (figures) => `ist selbst ein Agent (${agentName(textOf(figures, 'agent'))})`,
  rule: (figures) => `die eigene Regel „${textOf(figures, 'rule')}“ beschreibt es`,
};

/** Says in German what proves that an agent started a job; null for an unknown code. */
export const germanEvidence = (code: string, figures: Figures): string | null =>
  Object.hasOwn(sentences, code) ? sentences[code as Provenance['code']](figures) : null;

const of = (code: Provenance['code'], name: string) => (text: string) => germanEvidence(code, { [name]: text });

/** The forms of `provenanceSentence`, as records keep them. */
const recorded = [
  [/^the agent’s shell tool started it \((.*)\)$/u, of('wrapper', 'rule')],
  [/^it has the agent’s environment marker \((.*)\)$/u, of('marker', 'rule')],
  [/^(.*)’s shell tool started it$/u, of('wrapper', 'agent')],
  [/^it has (.*)’s environment marker$/u, of('marker', 'agent')],
  [/^it writes to the output file of a task \((.*)\)$/u, of('output', 'path')],
  [/^it was started by (.*)$/u, of('parent', 'agent')],
  [/^it was started with `curfew run` \(run (.*)\)$/u, of('run', 'run')],
  [/^it is an agent itself \((.*)\)$/u, of('agent', 'agent')],
  [/^your own rule “(.*)” describes it$/u, of('rule', 'rule')],
  [
    /^Curfew first saw it on (\S+) at (\S+) UTC$/u,
    (day: string, time: string) => germanEvidence('ledger', { firstSeenMs: Date.parse(`${day}T${time}Z`) }),
  ],
] as const;

/** Says recorded evidence in German; null where the sentence has another form. */
export const germanRecord = (sentence: string): string | null => {
  for (const [form, say] of recorded) {
    const found = form.exec(sentence);
    if (found !== null) return say(found[1] ?? '', found[2] ?? '');
  }
  return null;
};
