import type { Look } from '../observing/look.ts';
import { containersLeft, type KeptContainer, keptContainers } from './containers.ts';
import type { LeftOpenItem, LeftOpenTools } from './found.ts';
import { type KeptMultiplexer, keptMultiplexers, multiplexerSessions } from './multiplexers.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { commandText, leftOpenWord } from '../../app/text/left-open.ts';
import { say } from '../../app/text/say.ts';
import { type OwnEndable, ownEndIntent, runCommand } from '../ending/by-own-command.ts';
import type { EndByKeeper } from '../ending/own-command.ts';
import { seeTwice, type SeenTwice } from '../ending/two-looks.ts';

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

/** What may be left open, by the process table alone. */
interface Candidates {
  readonly multiplexers: readonly KeptMultiplexer[];
  readonly containers: readonly KeptContainer[];
}

const candidatesIn = (look: Look): Candidates => ({
  multiplexers: keptMultiplexers(look),
  containers: keptContainers(look),
});

/** True where a look shows something that may be left open: only then a keeper is asked. */
export const mayBeLeftOpen = (look: Look): boolean => {
  const { multiplexers, containers } = candidatesIn(look);
  return multiplexers.length > 0 || containers.length > 0;
};

/**
 * Returns what tool calls left open, the oldest first. Starts the clients of multiplexers and
 * container engines, and only where the look shows a process of one.
 */
export const leftOpenOf = async (tools: LeftOpenTools, look: Look): Promise<readonly LeftOpenItem[]> => {
  const { multiplexers, containers } = candidatesIn(look);
  const [sessions, left] = await Promise.all([
    multiplexerSessions(tools, look, multiplexers),
    containersLeft(tools, look, containers),
  ]);
  return [...sessions, ...left].toSorted((one, other) => one.leftOpen.startedAtMs - other.leftOpen.startedAtMs);
};
