import { agentParts } from '../../dossiers.ts';
import type { AgentHookInstaller } from '../form/agent-hooks.ts';

/** Every agent that Curfew can put hooks into. */
export const hookInstallers: readonly AgentHookInstaller[] = Object.values(agentParts).flatMap(({ hooks }) =>
  hooks === 'none' ? [] : [hooks],
);
