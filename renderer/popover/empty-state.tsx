import type { ReactElement } from 'react';
import { Centred } from '../parts/display/centred.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { useKnown, useSnapshot } from '../state/store-context.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** Nothing runs: says so, and what is watched. */
export const EmptyState = (): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover;
  const { connection } = useKnown();
  const { watched, health } = useSnapshot();
  const processes = texts.common.processes(health.processes);
  const agents = watched
    .filter((agent) => agent.liveSessions > 0)
    .map((agent) => words.agentSessions(agentName(agent.agent), texts.common.sessions(agent.liveSessions)));
  return (
    <Centred picture={<Icon name="moon" />} title={connection === 'lost' ? words.unwatched : words.emptyTitle}>
      <p>
        {agents.length === 0 ? words.emptyNoAgents(processes) : words.emptyWatching(format.list(agents), processes)}
      </p>
      <p>{words.emptyBody}</p>
    </Centred>
  );
};
