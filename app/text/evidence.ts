import { agentName, agentOfRule } from './agent-name.ts';
import type { Member, MembershipEvidence, Owner, Provenance } from '../jobs/model/job.ts';

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
  const agent = agentOfRule(rule);
  return agent === null ? `it has the agent’s environment marker (${rule})` : `it has ${agent}’s environment marker`;
};

/** Returns one proof that an agent started the job, as a sentence without a full stop. */
export const provenanceSentence = (proof: Provenance): string => {
  switch (proof.code) {
    case 'wrapper':
      return shellTool(proof.rule);
    case 'marker':
      return marker(proof.rule);
    case 'output':
      return `it writes to the output file of a task (${proof.path})`;
    case 'ledger':
      return `Curfew first saw it on ${new Date(proof.firstSeenMs).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
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
      return `its session is open: ${owner.evidence}`;
    case 'gone':
      return `its session has ended: ${owner.evidence}`;
    case 'unknown':
      return `it is unknown whose session started it: ${owner.evidence}`;
  }
};
