import { redactCommand } from '../../app/format/secrets/redact.ts';
import { commandText, leftOpenWord } from '../../app/text/left-open.ts';
import { say } from '../../app/text/say.ts';
import { type OwnEndable, ownEndIntent, runCommand } from '../ending/by-own-command.ts';
import type { EndByKeeper } from '../ending/own-command.ts';
import { seeTwice, type SeenTwice } from '../ending/two-looks.ts';
import type { Look } from '../observing/look.ts';
import type { LeftOpenItem } from './found.ts';

const endableOf = ({ leftOpen }: LeftOpenItem, end: EndByKeeper, { table }: Look): OwnEndable => ({
  shown: leftOpen.endWith,
  intent: (decidedBy, ending) =>
    ownEndIntent(
      {
        job: leftOpen.id,
        agent: leftOpen.agent,
        rule: `left-open-${leftOpen.keeper}`,
        command: redactCommand(leftOpenWord(leftOpen)),
        project: leftOpen.project,
        session: leftOpen.session,
        owner: leftOpen.owner,
        decidedBy,
        evidence: [
          leftOpen.evidence,
          say('ended by the command of its keeper: {command}', { command: commandText(leftOpen.endWith) }),
        ],
        startedAtMs: leftOpen.startedAtMs,
        rows: leftOpen.inside,
      },
      end,
      table,
      ending,
    ),
  // The keeper compares what it ends in the same moment.
  run: (ending, intent) => runCommand(ending, intent, end, leftOpen.inside, leftOpen.endWith),
});

/**
 * Confirms over two looks that the user may end what has this id: the same process keeps it, and
 * the same command ends it, which names server and session.
 */
export const confirmLeftOpen = (
  id: string,
  survey: () => Promise<{ readonly look: Look; readonly found: readonly LeftOpenItem[] } | null>,
): Promise<SeenTwice<OwnEndable>> =>
  seeTwice(async () => {
    const seen = await survey();
    const found = seen?.found.find(({ leftOpen }) => leftOpen.id === id);
    if (seen === null || found === undefined) return { kind: 'not-found' };
    const { leftOpen, end } = found;
    if (end === null) return { kind: 'left-open', leftOpen };
    const is = `${leftOpen.kept.pid}:${leftOpen.kept.startTicks} ${commandText(end.command)}`;
    return { kind: 'found', is, thing: endableOf(found, end, seen.look), look: seen.look };
  });
