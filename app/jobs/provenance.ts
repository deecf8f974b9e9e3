import type { Cluster } from './cluster.ts';
import type { Provenance } from './job.ts';
import type { Root } from './root.ts';

/**
 * A bare marker is a name that anybody can set or inherit: it proves something only for what hangs below a living part of that agent.
 * A job that was seen there keeps the proof in the ledger; without any, a job is shown and never ended.
 */
const provesMarker = ({ proof, lineage }: Root): boolean =>
  proof.kind === 'claim' &&
  proof.claim.marker !== null &&
  (proof.claim.marker.kind !== 'bare' || lineage.boundary?.program === proof.claim.agent);

/** Everything that proves an agent started the job; empty when nothing does. */
export const provenanceOf = (cluster: Cluster): readonly Provenance[] => {
  const proofs: Provenance[] = [];
  for (const root of cluster.roots) {
    const { proof } = root;
    if (proof.kind === 'claim') {
      if (proof.claim.shell !== null) proofs.push({ code: 'wrapper', rule: proof.claim.shell.rule });
      if (proof.claim.marker !== null && provesMarker(root))
        proofs.push({ code: 'marker', rule: proof.claim.marker.rule });
    } else if (proof.kind === 'parent') proofs.push({ code: 'parent', agent: proof.agent });
    else if (proof.kind === 'rule') proofs.push({ code: 'rule', rule: proof.rule });
  }
  if (cluster.output !== null) proofs.push({ code: 'output', path: cluster.output.path });
  // What an earlier look saw of the shell counts on, also when the shell has ended; having been seen alone is no proof.
  const remembered = cluster.entry?.provenance.filter((proof) => proof.code !== 'ledger') ?? [];
  if (cluster.entry !== null && remembered.length > 0)
    proofs.push({ code: 'ledger', firstSeenMs: cluster.entry.firstSeenMs }, ...remembered);
  const seen = new Set<string>();
  return proofs.filter((proof) => {
    const key = JSON.stringify(proof);
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
};
