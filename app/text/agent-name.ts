import { isAgentId, nameOf } from '../agents/names.ts';
import { otherAgentNames, type OtherAgentKey } from '../agents/other/names.ts';

/**
 * The name of an agent; an agent that the reader is too old for goes by its id. One of the lesser known is called by its own name where
 * the rule that recognised it is told.
 */
export const agentName = (agent: string, rule = ''): string => {
  const key = rule.replace(/-marker$/u, '');
  if (agent === 'other' && Object.hasOwn(otherAgentNames, key)) return otherAgentNames[key as OtherAgentKey];
  return isAgentId(agent) ? nameOf(agent) : agent;
};
