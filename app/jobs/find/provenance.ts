import type { Claim } from '../../agents/common/claim.ts';
import type { MarkerMatch } from '../../agents/common/signature.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Provenance } from '../../model/job.ts';
import type { Lineage } from '../lineage/lineage.ts';

/**
 * Any process can set or inherit a bare marker: it proves something only below a living part of
 * that agent, or as the agent's own name. A job that was seen there keeps the proof in the ledger;
 * without any, a job is shown and never ended.
 */
const proves = (marker: MarkerMatch, { agent }: Claim, { end }: Lineage): boolean =>
  marker.kind !== 'bare' || marker.named === true || end?.program === agent;

/** Everything that proves an agent started the job; empty when nothing does. */
export const provenanceOf = (cluster: Cluster): readonly Provenance[] => {
  const proofs: Provenance[] = [];
  for (const root of cluster.roots) {
    const { proof } = root;
    if (proof.kind === 'claim') {
      const { shell, marker } = proof.claim;
      if (shell !== null) proofs.push({ code: 'wrapper', rule: shell.rule });
      if (marker !== null && proves(marker, proof.claim, root.lineage))
        proofs.push({ code: 'marker', rule: marker.rule });
      // A user could have started what has the same marks elsewhere; the marks alone don't tell.
      if (shell === null && marker?.kind === 'tool' && root.lineage.end?.program === proof.claim.agent)
        proofs.push({ code: 'parent', agent: proof.claim.agent });
    } else if (proof.kind === 'parent') proofs.push({ code: 'parent', agent: proof.agent });
    else if (proof.kind === 'rule') proofs.push({ code: 'rule', rule: proof.rule });
  }
  if (cluster.output !== null) proofs.push({ code: 'output', path: cluster.output.path });
  // What an earlier look saw of the shell counts on, also when the shell has ended; having been
  // seen alone is no proof.
  const remembered = cluster.entry?.provenance.filter((proof) => proof.code !== 'ledger') ?? [];
  if (cluster.entry !== null && remembered.length > 0)
    proofs.push({ code: 'ledger', firstSeenMs: cluster.entry.firstSeenMs }, ...remembered);
  const seen = new Set<string>();
  return proofs.filter((proof) => {
    const key = JSON.stringify(proof);
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
};
