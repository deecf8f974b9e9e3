import { isAgentId, nameOf } from '../agents/names.ts';
import { otherAgentNames, type OtherAgentKey } from '../agents/other/names.ts';

/**
 * Returns the name of an agent, or its id if this version does not know it. A lesser-known agent
 * has its own name if the rule that recognised it is given.
 */
export const agentName = (agent: string, rule = ''): string => {
  const key = rule.replace(/-marker$/u, '');
  if (agent === 'other' && Object.hasOwn(otherAgentNames, key)) return otherAgentNames[key as OtherAgentKey];
  return isAgentId(agent) ? nameOf(agent) : agent;
};
