import type { AgentId, AgentSessionId } from '../../agents/common/agent-id.ts';
import type { Pid } from '../../process/identity.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';

export interface HookProcess {
  readonly pid: Pid;
  /** See ProcessIdentity; null where the machine doesn't tell a script. */
  readonly startTicks: number | null;
}

/** A background command as its agent reports it at the end of a reply. */
export interface HookTask {
  readonly id: string;
  readonly status: string | null;
  readonly command: SafeText | null;
}

interface Common {
  readonly agent: AgentId;
  readonly session: AgentSessionId;
  /** Project folder; null when the agent didn't say. */
  readonly project: string | null;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
  /**
   * The hook's ancestors, the nearest first. The agent is among them, often behind a shell that it
   * started the hook with; which one it is only the process table tells (`registerHookEvents`).
   */
  readonly ancestors: readonly HookProcess[];
  /** The agent's process by its word (CLAUDE_PID); in another's tool shell it may be that one's. */
  readonly declaredPid: Pid | null;
}

/** What an agent told through its hooks. Everything in it is outside text. */
export type HookEvent =
  | (Common & {
      readonly kind: 'session-start';
      /** Claude Code: startup, resume, clear, compact, fork. */
      readonly source: string | null;
    })
  | (Common & {
      readonly kind: 'tool';
      readonly task: string | null;
    })
  | (Common & {
      /** The end of a reply, never of a session. */
      readonly kind: 'stop';
      /** null: the agent doesn't report them. */
      readonly backgroundTasks: readonly HookTask[] | null;
    })
  | (Common & {
      readonly kind: 'session-end';
      /** Claude Code: clear, resume, logout, prompt_input_exit (to the background too), other. */
      readonly reason: string | null;
    });
