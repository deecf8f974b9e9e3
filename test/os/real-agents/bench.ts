import { join } from 'node:path';
import { programOf } from '../../../build/agents/table.ts';
import { realAgents } from './kinds.ts';
import { missingOf } from './session.ts';

const [newest] = realAgents;
if (newest?.agent !== 'claude-code') throw new Error('the first agent of build/agents/agents.json is Claude Code');

/** The newest Claude Code of the table. */
export const claude = programOf(newest);

/** Why it can't be started here; null if it can. */
export const missing = missingOf(newest);

/** Runs it in namespaces of its own: see there. */
export const withClaude = join(import.meta.dirname, '../fixtures/with-claude.sh');
