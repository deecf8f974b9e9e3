import type { CallLimit } from '../common/call-limit.ts';

/** Codex: `tool_timeout_sec` of a server's entry, 60 by default (its manual); progress or not. */
export const codexCalls: CallLimit = { client: 'codex-mcp-client', environment: null, seconds: 60 };
