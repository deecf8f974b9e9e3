import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { parseJson } from '../../../app/format/json.ts';
import type { TurnState } from '../../../app/model/reach.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { SmallFiles } from '../../os/files/small-file.ts';

/** What is used of `~/.claude/teams/<team>/config.json` (2.1.330, observed; undocumented). */
const team = once(() =>
  z.object({ members: z.array(z.object({ agentId: z.string(), isActive: z.boolean().optional() })).max(1000) }),
);

type Team = z.infer<ReturnType<typeof team>>;

const wordAfter = ({ argv }: ProcessRow, option: string): string | null => {
  const at = argv.indexOf(option);
  return at === -1 ? null : (argv[at + 1] ?? null);
};

const readers = new Map<number, SmallFiles<Team>>();

/**
 * Returns whether a teammate, which has no entry among the sessions, has ended its turn, as its
 * team notes; null for any other process, and where its team does not name it.
 */
export const claudeTeammateTurn = (row: ProcessRow, home: string, uid: number): TurnState | null => {
  const [name, id] = [wordAfter(row, '--team-name'), wordAfter(row, '--agent-id')];
  if (name === null || id === null || !/^[\w-]{1,200}$/u.test(name)) return null;
  const files = readers.get(uid) ?? new SmallFiles(uid, (text) => team().safeParse(parseJson(text)).data ?? null);
  readers.set(uid, files);
  const folder = process.env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
  const file = files.read(join(folder, 'teams', name, 'config.json'), Date.now());
  const member = file.state === 'read' ? file.value.members.find(({ agentId }) => agentId === id) : undefined;
  return member === undefined ? null : member.isActive === false ? 'ended' : 'open';
};
