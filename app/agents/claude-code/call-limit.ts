import type { CallLimit } from '../common/call-limit.ts';

/**
 * Claude Code 2.1.330, read in its bundle: a bound by the clock, which progress does not move, and
 * 30 min without progress. An entry of a server may have a `timeout` of its own, which that server
 * is not told.
 */
export const claudeCodeCalls: CallLimit = { client: 'claude-code', environment: 'MCP_TOOL_TIMEOUT', seconds: 100_000 };
