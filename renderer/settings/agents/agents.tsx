import { useState, type ReactElement } from 'react';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { Centred } from '../../parts/display/centred.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { Intro, Rows } from '../../parts/display/section.tsx';
import { useAnswer } from '../../state/use-answer.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { AgentRow } from './agent-row.tsx';
import { Guard } from './guard.tsx';

/** Which agents are here, the hooks in them, and the guard that hooks may ask. */
export const Agents = (): ReactElement => {
  const { texts } = useLanguage();
  const { value, failure, again } = useAnswer('hooks.status', {});
  const [changed, setChanged] = useState<readonly AgentHooks[]>([]);
  const agents = value?.agents.map((agent) => changed.findLast(({ agent: id }) => id === agent.agent) ?? agent);
  return (
    <>
      <Intro>{texts.settings.agents.intro}</Intro>
      <FailureNote failure={failure} again={again} />
      {agents === undefined && failure === null ? <Centred title={texts.common.loading} /> : null}
      {agents === undefined ? null : (
        <Rows>
          {agents.map((agent) => (
            <AgentRow
              key={agent.agent}
              agent={agent}
              onChange={(now) => {
                setChanged([...changed, now]);
              }}
            />
          ))}
        </Rows>
      )}
      <Guard
        onSwitch={() => {
          setChanged([]);
          again();
        }}
      />
    </>
  );
};
