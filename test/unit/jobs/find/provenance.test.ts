import { expect, test } from 'vitest';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { Provenance } from '../../../../app/model/job.ts';
import { provenanceOf } from '../../../../app/jobs/find/provenance.ts';
import { rowOf } from '../../judge/job-builder.ts';
import { remembered } from '../remembered.ts';
import { toolMark, toolShell, weakMark } from '../told-evidence.ts';

const row = rowOf(80, ['sleep', '9']);
/** What proves a job of one process with this claim, below a living agent where one is named. */
const proofs = (claim: Claim, below: AgentId | null = null): readonly string[] => {
  const agent = { row: rowOf(34, ['agent']), program: below, isUserProgram: false, claims: [], rule: null };
  const lineage = { chain: [], end: below === null ? null : agent };
  const root = { row, proof: { kind: 'claim', claim, others: [] }, lineage, endsLineage: false } as const;
  return provenanceOf({ roots: [root], entry: null, output: null }).map(({ code }) => code);
};
/** What the ledger still proves of a job that shows nothing itself. */
const kept = (provenance: readonly Provenance[]): readonly Provenance[] =>
  provenanceOf({ roots: [], entry: remembered({ provenance }), output: null });

test('a tool shell and a mark prove each by itself', () => {
  expect(proofs(toolShell('codex'))).toEqual(['wrapper', 'marker']);
  expect(proofs({ ...toolShell('codex'), marker: null })).toEqual(['wrapper']);
  expect(proofs(toolMark('codex'))).toEqual(['marker']);
});

test('a name that any process can set proves something below a living part of that agent only', () => {
  expect(proofs(weakMark('codex', 'bare'), 'codex')).toEqual(['marker']);
  expect(proofs(weakMark('codex', 'bare'), 'gemini')).toEqual([]);
  expect(proofs(weakMark('codex', 'bare'))).toEqual([]);
});

test('what was proved once is proved later; having been seen proves nothing', () => {
  const marker: Provenance = { code: 'marker', rule: 'claude-env' };
  const seen: Provenance = { code: 'ledger', firstSeenMs: 1000 };
  expect(kept([marker])).toEqual([seen, marker]);
  expect(kept([{ ...seen, firstSeenMs: 500 }, marker])).toEqual([seen, marker]);
  expect(kept([seen])).toEqual([]);
  expect(kept([])).toEqual([]);
});
