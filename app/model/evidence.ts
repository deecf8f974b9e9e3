import type { Job, Provenance } from './job.ts';
import { isWitnessed, type Proof } from './proof.ts';

export type EvidenceCode = Provenance['code'] | `proof-${Proof['kind']}`;

/** What shows that an agent started a job, as documents and windows carry it. */
export interface Evidence {
  readonly code: EvidenceCode;
  readonly figures: Readonly<Record<string, number | string>>;
}

const ofProof = (proof: Proof): Evidence => ({
  code: `proof-${proof.kind}`,
  figures: isWitnessed(proof)
    ? { agent: proof.agent, ...(proof.process === null ? {} : { pid: proof.process.pid }), atMs: proof.atMs }
    : {},
});

/** Returns each sign that an agent started a job. */
export const signsOf = ({ provenance }: Pick<Job, 'provenance'>): readonly Evidence[] =>
  provenance.map(({ code, ...figures }) => ({ code, figures }));

/** Returns what was witnessed of a job, and each sign that an agent started it. */
export const evidenceOf = ({ proof, provenance }: Pick<Job, 'proof' | 'provenance'>): readonly Evidence[] => [
  ofProof(proof),
  ...signsOf({ provenance }),
];
