import type { AgentId } from './agent-id.ts';
import type { MarkerMatch, ShellMatch } from './signature.ts';

/**
 * What a process's own argv and environment say about where it came from, for one agent. A process
 * can carry several, because an agent started inside another agent's tool shell adds its markers to
 * those that it inherited.
 */
export interface Claim {
  readonly agent: AgentId;
  /** Its argv is a tool shell of this agent. */
  readonly shell: ShellMatch | null;
  /** Its environment was marked by this agent. */
  readonly marker: MarkerMatch | null;
}
