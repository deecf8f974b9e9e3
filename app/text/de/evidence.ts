import type { Provenance } from '../../model/job.ts';
import type { Proof } from '../../model/proof.ts';
import { ruleOfSlug, slugOfRule } from '../../agents/common/slug.ts';
import { agentName, agentOfRule } from '../agent-name.ts';
import { numberOf, textOf, type Figures } from '../figures.ts';

const moment = (figures: Figures, name: string): string => {
  const atMs = numberOf(figures, name);
  return atMs === null
    ? ''
    : ` am ${new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)}`;
};

const seen = (figures: Figures): string => `zuerst gesehen${moment(figures, 'firstSeenMs')}`;

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
  const slug = slugOfRule(textOf(figures, 'rule'));
  if (slug !== null) return `ein Agent, der sich „${slug}“ nennt, hat es gekennzeichnet`;
  const agent = agentIn(figures);
  return agent === null
    ? `trägt die Kennung des Agenten in der Umgebung (${textOf(figures, 'rule')})`
    : `trägt die Kennung von ${agent} in der Umgebung`;
};

const starter = (figures: Figures): string => {
  const pid = numberOf(figures, 'pid');
  return `${agentName(textOf(figures, 'agent'))}${pid === null ? '' : ` ${pid}`}`;
};

const process = (figures: Figures): string => `Prozess ${numberOf(figures, 'pid') ?? ''}`.trim();

type Code = Provenance['code'] | `proof-${Proof['kind']}`;

const sentences: Readonly<Record<Code, (figures: Figures) => string>> = {
  'proof-look': (figures) => `bewiesen: unter ${starter(figures)} gesehen${moment(figures, 'atMs')}`,
  'proof-kernel': (figures) =>
    `bewiesen: laut Kernel von ${starter(figures)} gestartet, gelesen${moment(figures, 'atMs')}`,
  'proof-tool-shell': (figures) => `bewiesen: Werkzeug-Shell von ${starter(figures)} gesehen${moment(figures, 'atMs')}`,
  'proof-output': (figures) =>
    `bewiesen: ${process(figures)} hielt die Ausgabedatei von ${agentName(textOf(figures, 'agent'))} offen, gesehen${moment(figures, 'atMs')}`,
  'proof-agent-word': (figures) =>
    `bewiesen: ${agentName(textOf(figures, 'agent'))} hat ${process(figures)} genannt${moment(figures, 'atMs')}`,
  'proof-claimed': () => 'nicht bewiesen: nur Kennungen sagen, dass ein Agent es gestartet hat',
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
  Object.hasOwn(sentences, code) ? sentences[code as Code](figures) : null;

const of = (code: Code, name: string) => (text: string) => germanEvidence(code, { [name]: text });

const proved =
  (kind: Proof['kind']) =>
  (agent: string, pid: string, day: string, time: string): string | null =>
    germanEvidence(`proof-${kind}`, {
      agent,
      ...(pid === '' ? {} : { pid: Number(pid) }),
      atMs: Date.parse(`${day}T${time}Z`),
    });

/** The forms of `proofSentence` and `provenanceSentence`, as records keep them. */
const recorded = [
  [/^proved: seen below (.*?)(?: (\d+))? on (\S+) at (\S+) UTC$/u, proved('look')],
  [/^proved: the kernel shows that (.*?)(?: (\d+))? started it, read on (\S+) at (\S+) UTC$/u, proved('kernel')],
  [
    /^proved: its tool shell(?: (\d+))? of (.*) was seen on (\S+) at (\S+) UTC$/u,
    (pid: string, agent: string, day: string, time: string) => proved('tool-shell')(agent, pid, day, time),
  ],
  [
    /^proved: process(?: (\d+))? of it was seen to hold its output file of (.*) on (\S+) at (\S+) UTC$/u,
    (pid: string, agent: string, day: string, time: string) => proved('output')(agent, pid, day, time),
  ],
  [/^proved: (.*) named its process(?: (\d+))? on (\S+) at (\S+) UTC$/u, proved('agent-word')],
  [/^not proved: only marks say that an agent started it$/u, () => germanEvidence('proof-claimed', {})],
  [/^the agent’s shell tool started it \((.*)\)$/u, of('wrapper', 'rule')],
  [/^it has the agent’s environment marker \((.*)\)$/u, of('marker', 'rule')],
  [/^(.*)’s shell tool started it$/u, of('wrapper', 'agent')],
  [/^it has (.*)’s environment marker$/u, of('marker', 'agent')],
  [/^an agent that calls itself “(.*)” marked its environment$/u, (slug: string) => marker({ rule: ruleOfSlug(slug) })],
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
    if (found !== null) return say(found[1] ?? '', found[2] ?? '', found[3] ?? '', found[4] ?? '');
  }
  return null;
};
