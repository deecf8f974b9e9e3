import { agentNames, type AgentId } from '../agents/agent-id.ts';

/** The name of an agent; an agent that the reader is too old for goes by its id. */
export const agentName = (agent: string): string =>
  Object.hasOwn(agentNames, agent) ? agentNames[agent as AgentId] : agent;
