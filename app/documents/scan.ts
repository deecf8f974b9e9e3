import type { AgentView } from '../contract/views/agent-view.ts';
import type { JobView } from '../contract/views/job-view.ts';
import type { LeftOpenView } from '../contract/views/left-open-view.ts';
import type { ModeView, ScanDocument, SessionServers, SessionView } from '../contract/views/scan.ts';
import { moment } from '../format/moment.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import type { AgentSession } from '../model/session.ts';

const sessionView = (session: AgentSession, servers: SessionServers | null): SessionView =>
  safeView<SessionView>({
    agent: session.agent,
    id: session.id,
    pid: session.pid,
    state: session.state,
    project: session.project,
    source: session.source,
    servers,
  });

/** Input of `scanDocument` from one scan. */
export interface Look {
  readonly host: string;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /** null until the user chooses. */
  readonly mode: ModeView | null;
  /** Rows in the process table. */
  readonly processes: number;
  readonly tookMs: number;
  readonly sessions: readonly AgentSession[];
  /** Null where they are not counted. */
  readonly serversOf: (session: AgentSession) => SessionServers | null;
  /** Worst first. */
  readonly jobs: readonly JobView[];
  readonly agents: readonly AgentView[];
  readonly leftOpen: readonly LeftOpenView[];
}

/** Returns the document of `curfew scan --json`. */
export const scanDocument = (look: Look): ScanDocument => ({
  schema: 1,
  host: look.host,
  at: moment(look.atMs),
  mode: look.mode ?? 'observe',
  modeChosen: look.mode !== null,
  processes: look.processes,
  tookMs: look.tookMs,
  sessions: look.sessions.map((session) => sessionView(session, look.serversOf(session))),
  jobs: [...look.jobs],
  agents: [...look.agents],
  leftOpen: [...look.leftOpen],
});
