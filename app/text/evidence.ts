import { inEnglish } from './say.ts';
import { slugOfRule } from '../agents/common/slug.ts';
import type { Said } from '../format/said.ts';
import { agentName, agentOfRule } from './agent-name.ts';
import { numberOf, type Figures } from './figures.ts';
import type { belonging } from './catalogue/evidence.ts';
import { dated, type Form, type FormWith, listed, say, sayOf } from './form.ts';
import type { Evidence, EvidenceCode } from '../model/evidence.ts';
import type { Member, MembershipEvidence, Owner } from '../model/job.ts';

const text =
  (name: string) =>
  (figures: Figures): string =>
    String(figures[name] ?? '');

const moment =
  (name: string) =>
  (figures: Figures): Said => {
    const atMs = numberOf(figures, name);
    return atMs === null ? say('an unknown time') : dated(atMs);
  };

const rule = text('rule');

const parts = {
  agent: (figures: Figures) => agentName(text('agent')(figures)),
  pid: (figures: Figures) => {
    const pid = numberOf(figures, 'pid');
    return pid === null ? '' : ` ${pid}`;
  },
  moment: moment('atMs'),
  first: moment('firstSeenMs'),
  rule,
  slug: (figures: Figures) => slugOfRule(rule(figures)) ?? '',
  owner: (figures: Figures) => agentOfRule(rule(figures)) ?? '',
  path: text('path'),
  run: text('run'),
};

type EvidenceForm = FormWith<keyof typeof parts>;

const forms: Readonly<Record<EvidenceCode, EvidenceForm | ((figures: Figures) => EvidenceForm)>> = {
  'proof-look': 'proved: seen below {agent}{pid} on {moment}',
  'proof-kernel': 'proved: the kernel shows that {agent}{pid} started it, read on {moment}',
  'proof-tool-shell': 'proved: its tool shell{pid} of {agent} was seen on {moment}',
  'proof-output': 'proved: process{pid} of it was seen to hold its output file of {agent} on {moment}',
  'proof-agent-word': 'proved: {agent} named its process{pid} on {moment}',
  'proof-claimed': 'not proved: only marks say that an agent started it',
  wrapper: (figures) =>
    agentOfRule(rule(figures)) === null
      ? 'the agent’s shell tool started it ({rule})'
      : '{owner}’s shell tool started it',
  marker: (figures) => {
    if (slugOfRule(rule(figures)) !== null) return 'an agent that calls itself “{slug}” marked its environment';
    return agentOfRule(rule(figures)) === null
      ? 'it has the agent’s environment marker ({rule})'
      : 'it has {owner}’s environment marker';
  },
  output: 'it writes to the output file of a task ({path})',
  ledger: 'Curfew first saw it on {first}',
  parent: 'it was started by {agent}',
  run: 'it was started with `curfew run` (run {run})',
  agent: 'it is an agent itself ({agent})',
  rule: 'your own rule “{rule}” describes it',
};

/** True for the code of known evidence; an engine of another version may send others. */
export const isEvidenceCode = (code: string): code is EvidenceCode => Object.hasOwn(forms, code);

/** Says how it is known that an agent started the job, as a sentence without a full stop. */
export const evidenceSaid = ({ code, figures }: Evidence): Said => sayOf(forms[code], parts, figures);

/** Returns the same in English. */
export const sayEvidence = (evidence: Evidence): string => inEnglish(evidenceSaid(evidence));

const memberships = {
  group: 'shares its process group or kernel session',
  tree: 'descends from its root',
  env: 'carries its marker in the environment',
  ledger: 'was seen in it earlier',
  output: 'writes to its output file',
} as const satisfies Readonly<Record<MembershipEvidence, Form>>;

/** Says by what a process belongs to a job or a run, as a sentence without a full stop. */
export const belongsBy = <Sign extends string>(
  pid: number,
  by: readonly Sign[],
  words: Readonly<Record<Sign, keyof typeof belonging>>,
): Said =>
  say('process {pid} {by}', {
    pid,
    by: listed(
      by.map((one) => say<keyof typeof belonging>(words[one])),
      ', ',
    ),
  });

/** Says why a process is part of a job, as a sentence without a full stop. */
export const memberSaid = ({ row, by }: Member): Said => belongsBy(row.pid, by, memberships);

const owned = {
  live: 'its session is open: {evidence}',
  gone: 'its session has ended: {evidence}',
  unknown: 'it is unknown whose session started it: {evidence}',
} as const satisfies Readonly<Record<Owner['state'], Form>>;

/** Says which session owns the job and how that is known, as a sentence without a full stop. */
export const sessionSaid = ({ state, evidence }: Pick<Owner, 'state' | 'evidence'>): Said =>
  say(owned[state], { evidence });
