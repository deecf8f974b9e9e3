import { agentIds, type AgentId } from './common/agent-id.ts';
import { programFile } from '../paths/path.ts';
import { dossiers } from './dossiers.ts';

/** One form for `Claude Code`, `claude_code` and `claude-code`. */
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/gu, '-');

/** Names as their makers write them. They aren't translated. */
export const nameOf = (agent: AgentId): string => dossiers[agent].signature.name;

const idsByName: ReadonlyMap<string, AgentId> = new Map(
  agentIds.toReversed().flatMap((id) => {
    const { short, others } = dossiers[id].names;
    return [id, nameOf(id), short, ...others].map((name) => [plain(name), id] as const);
  }),
);

/** The commands that start agents in a terminal. */
export const agentCommands: ReadonlyMap<string, AgentId> = new Map(
  agentIds.flatMap((id) => {
    const { command } = dossiers[id].names;
    return command === undefined ? [] : [[command, id] as const];
  }),
);

/** Programs that become the one they are given, and their own words. env(1), nohup(1), nice(1) */
const wrapper = /^(?:(?:\S*\/)?(?:nohup|nice(?: -n \S+| -\d+)?|env(?: [A-Za-z_]\w*=\S*)*) )+/u;

/** Returns the agent that a command becomes, also behind `nohup` and the like; null for none. */
export const agentStartedBy = (words: readonly string[]): AgentId | null => {
  // A blank within a word must not look like one between two.
  const text = words.map((word) => word.replaceAll(/\s/gu, '_')).join(' ');
  const [program = ''] = text.replace(wrapper, '').split(' ');
  return agentCommands.get(programFile(program)) ?? null;
};

/** The names to offer: each agent by the shortest name that it has, and by its id. */
export const offeredAgentNames: readonly string[] = [
  ...new Set(agentIds.flatMap((id) => [dossiers[id].names.short, id])),
];

/** Returns the agent of an id or common name, in any case, or null where none is called so. */
export const agentNamed = (name: string): AgentId | null => idsByName.get(plain(name)) ?? null;

/** Returns the path of the mark of an agent; also for one that a later version put on record. */
export const agentGlyph = (agent: string): string => dossiers[isAgentId(agent) ? agent : 'other'].names.glyph;

/** True where a text from outside is the id of an agent. */
export const isAgentId = (text: string): text is AgentId => Object.hasOwn(dossiers, text);

/**
 * Returns the command that lets a session go on with its transcript, as a user would type it; null
 * where its agent has none, or the id of the session is not known.
 */
export const resumeOf = (agent: AgentId, session: string | null): string | null => {
  const { resume } = dossiers[agent].names;
  return resume === 'none' || session === null ? null : [...resume, session].join(' ');
};
