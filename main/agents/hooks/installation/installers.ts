import { agentParts } from '../../dossiers.ts';
import type { AgentHookInstaller } from '../form/agent-hooks.ts';

export const hookInstallers: readonly AgentHookInstaller[] = Object.values(agentParts).flatMap(({ hooks }) =>
  hooks === 'none' ? [] : [hooks],
);
