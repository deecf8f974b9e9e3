import { agentNamed, isAgentId, nameOf } from '../agents/names.ts';
import { slugOfRule } from '../agents/common/slug.ts';
import { otherAgentNames, type OtherAgentKey } from '../agents/other/names.ts';

/**
 * Returns the name of an agent, or its id if this version does not know it. A lesser-known agent
 * has its own name if the rule that recognised it is given, and one that names itself what it calls
 * itself.
 */
export const agentName = (agent: string, rule = ''): string => {
  if (agent !== 'other') return isAgentId(agent) ? nameOf(agent) : agent;
  const slug = slugOfRule(rule);
  if (slug !== null) return slug;
  const key = rule.replace(/-marker$/u, '');
  if (Object.hasOwn(otherAgentNames, key)) return otherAgentNames[key as OtherAgentKey];
  // Lesser known to an earlier version, which has it on record so.
  return isAgentId(key) ? nameOf(key) : nameOf(agent);
};

/**
 * Returns the name of the agent whose rule this is, or null: rules begin with the short name of
 * their agent (`claude-shell`), those of lesser-known agents with its key (`qwen-marker`).
 */
export const agentOfRule = (rule: string): string | null => {
  const slug = slugOfRule(rule);
  if (slug !== null) return slug;
  const [stem = ''] = rule.split('-', 1);
  const agent = agentNamed(stem);
  if (agent !== null && agent !== 'other') return nameOf(agent);
  return Object.hasOwn(otherAgentNames, stem) ? otherAgentNames[stem as OtherAgentKey] : null;
};
