import { inEnglish } from './say.ts';
import { slugOfRule } from '../agents/common/slug.ts';
import { agentName, agentOfRule } from './agent-name.ts';
import type { Member, MembershipEvidence, Owner, Provenance } from '../model/job.ts';
import { isWitnessed, type Proof } from '../model/proof.ts';

const membershipWords: Readonly<Record<MembershipEvidence, string>> = {
  group: 'shares its process group or kernel session',
  tree: 'descends from its root',
  env: 'carries its marker in the environment',
  ledger: 'was seen in it earlier',
  output: 'writes to its output file',
};

const shellTool = (rule: string): string => {
  const agent = agentOfRule(rule);
  return agent === null ? `the agent’s shell tool started it (${rule})` : `${agent}’s shell tool started it`;
};

const marker = (rule: string): string => {
  const slug = slugOfRule(rule);
  if (slug !== null) return `an agent that calls itself “${slug}” marked its environment`;
  const agent = agentOfRule(rule);
  return agent === null ? `it has the agent’s environment marker (${rule})` : `it has ${agent}’s environment marker`;
};

const moment = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

/**
 * Says how it is known that an agent started the job, as a sentence without a full stop: `proved:
 * seen below Claude Code 4711 on 2026-11-21 at 14:02 UTC`.
 */
export const proofSentence = (proof: Proof): string => {
  if (!isWitnessed(proof)) return 'not proved: only marks say that an agent started it';
  const agent = agentName(proof.agent);
  const pid = proof.process === null ? '' : ` ${proof.process.pid}`;
  const when = ` on ${moment(proof.atMs)}`;
  switch (proof.kind) {
    case 'look':
      return `proved: seen below ${agent}${pid}${when}`;
    case 'kernel':
      return `proved: the kernel shows that ${agent}${pid} started it, read${when}`;
    case 'tool-shell':
      return `proved: its tool shell${pid} of ${agent} was seen${when}`;
    case 'output':
      return `proved: process${pid} of it was seen to hold its output file of ${agent}${when}`;
    case 'agent-word':
      return `proved: ${agent} named its process${pid}${when}`;
  }
};

/** Returns one sign that an agent started the job, as a sentence without a full stop. */
export const provenanceSentence = (proof: Provenance): string => {
  switch (proof.code) {
    case 'wrapper':
      return shellTool(proof.rule);
    case 'marker':
      return marker(proof.rule);
    case 'output':
      return `it writes to the output file of a task (${proof.path})`;
    case 'ledger':
      return `Curfew first saw it on ${moment(proof.firstSeenMs)}`;
    case 'parent':
      return `it was started by ${agentName(proof.agent)}`;
    case 'run':
      return `it was started with \`curfew run\` (run ${proof.run})`;
    case 'agent':
      return `it is an agent itself (${agentName(proof.agent)})`;
    case 'rule':
      return `your own rule “${proof.rule}” describes it`;
  }
};

/** Says why a process is part of a job, as a sentence without a full stop. */
export const memberSentence = (member: Member): string =>
  `process ${member.row.pid} ${member.by.map((by) => membershipWords[by]).join(', ')}`;

/** Says which session owns the job and how that is known, as a sentence without a full stop. */
export const ownerSentence = (owner: Owner): string => {
  switch (owner.state) {
    case 'live':
      return `its session is open: ${inEnglish(owner.evidence)}`;
    case 'gone':
      return `its session has ended: ${inEnglish(owner.evidence)}`;
    case 'unknown':
      return `it is unknown whose session started it: ${inEnglish(owner.evidence)}`;
  }
};
