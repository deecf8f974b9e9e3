import { plainPath } from '../../../app/paths/path.ts';
import { sessionIdFrom } from '../../../app/agents/common/marker-value.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { type ProcessTable, identityOf } from '../../../app/process/table.ts';

/**
 * `~/.codex/sessions/2026/11/21/rollout-2026-11-21T03-52-13-<session>.jsonl`; CODEX_HOME may move
 * it.
 */
const rollout = /\/sessions\/\d{4}\/\d{2}\/\d{2}\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/**
 * Sessions of Codex that live, by the transcripts its processes hold open (observed on 0.169; the
 * id in the name is what commands get as CODEX_SESSION_ID). Codex keeps no registry: a session
 * without an open transcript is not known to be gone.
 */
export const codexSessions = (
  table: ProcessTable,
  holders: readonly { readonly row: ProcessRow; readonly files: readonly OpenFile[] }[],
): readonly AgentSession[] =>
  holders.flatMap(({ row, files }) => {
    const ids = new Map<string, string>();
    for (const file of files) {
      const id = rollout.exec(plainPath(file.target))?.[1];
      if (id !== undefined) ids.set(id, file.target);
    }
    return [...ids].map(([id, source]): AgentSession => ({
      agent: 'codex',
      id: sessionIdFrom(id),
      process: identityOf(table, row),
      pid: row.pid,
      state: 'live',
      project: null,
      source,
    }));
  });

/** Returns the path of a session's transcript, by which it is known; null for another source. */
export const codexTranscript = ({ source }: Pick<AgentSession, 'source'>): string | null =>
  rollout.test(plainPath(source)) ? source : null;
