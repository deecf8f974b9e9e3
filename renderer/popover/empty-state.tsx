import type { ReactElement } from 'react';
import { agentName } from '../../app/text/agent-name.ts';
import { Centred } from '../parts/display/centred.tsx';
import { Button } from '../parts/input/button.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { useSnapshot } from '../state/store-context.ts';
import { useClaims } from '../state/use-claims.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** Shown without jobs: says what was found, what is watched, and reassures only where it can. */
export const EmptyState = (): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover;
  const { watch, current } = useClaims();
  const { watched, health, incidents } = useSnapshot();
  const processes = texts.common.processes(health.processes);
  const agents = watched
    .filter((agent) => agent.liveSessions > 0)
    .map((agent) => words.agentSessions(agentName(agent.agent), texts.common.sessions(agent.liveSessions)));
  if (!current)
    return (
      <Centred picture={<Icon name={watch === 'starting' ? 'search' : 'offline'} />} title={words.doing[watch]}>
        {watch === 'starting' ? null : <p>{words.emptyOld}</p>}
      </Centred>
    );
  const limited =
    watch === 'paused' || watch === 'report-only' || watch === 'unrecorded' || watch === 'observing' ? watch : null;
  return (
    <Centred
      picture={<Icon name={watch === 'paused' ? 'pause' : 'moon'} />}
      title={limited === null ? words.emptyTitle : words.emptyFound}
    >
      <p>
        {agents.length === 0 ? words.emptyNoAgents(processes) : words.emptyWatching(format.list(agents), processes)}
      </p>
      <p>{limited === null ? words.emptyBody : words.emptyState[limited]}</p>
      {/* Not below the last one that was ended, which is no empty machine. */}
      {incidents.length > 0 ? null : (
        <p>
          <Button
            look="link"
            onClick={() => {
              window.location.hash = '#/example';
            }}
          >
            {words.example.try}
          </Button>
        </p>
      )}
    </Centred>
  );
};
