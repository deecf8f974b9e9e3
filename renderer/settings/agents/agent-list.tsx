import { useState, type ReactElement } from 'react';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { Centred } from '../../parts/display/centred.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { Rows } from '../../parts/display/section.tsx';
import { useAnswer } from '../../state/use-answer.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { AgentRow } from './agent-row.tsx';

interface AgentListProps {
  /** Leaves out agents that are not on this machine, or take no hooks. */
  readonly onlyHookable?: boolean;
}

/** The agents of this machine and the hooks in them. */
export const AgentList = ({ onlyHookable = false }: AgentListProps): ReactElement => {
  const { texts } = useLanguage();
  const { value, failure, again } = useAnswer('hooks.status', {});
  const [changed, setChanged] = useState<readonly AgentHooks[]>([]);
  const agents = value?.agents
    .map((agent) => changed.findLast(({ agent: id }) => id === agent.agent) ?? agent)
    .filter(({ found, hooks }) => !onlyHookable || (found !== null && hooks !== 'unsupported'));
  return (
    <>
      <FailureNote failure={failure} again={again} />
      {agents === undefined && failure === null ? <Centred title={texts.common.loading} /> : null}
      {agents === undefined ? null : agents.length === 0 ? (
        <p>{texts.settings.agents.none}</p>
      ) : (
        <Rows>
          {agents.map((agent) => (
            <AgentRow key={agent.agent} agent={agent} onChange={(now) => setChanged([...changed, now])} />
          ))}
        </Rows>
      )}
    </>
  );
};
