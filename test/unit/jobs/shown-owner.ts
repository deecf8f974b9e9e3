import { inWordsOfKeys } from '../../../app/format/said.ts';
import type { Owner } from '../../../app/model/job.ts';

/** As an owner, with a word of its own for one that nothing living could be. */
export type ShownOwner = Owner | { readonly state: 'unproved'; readonly evidence: string };

/** Says the evidence, and makes `unproved` of an unknown owner where nothing could own the job. */
export const shownOwner = (owner: Owner): ShownOwner => {
  const evidence = inWordsOfKeys(owner.evidence);
  return owner.state === 'unknown' && owner.noneLeft === true
    ? { state: 'unproved', evidence }
    : { ...owner, evidence };
};
