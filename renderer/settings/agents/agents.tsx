import { useState, type ReactElement } from 'react';
import { Intro } from '../../parts/display/section.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import { AgentList } from './agent-list.tsx';
import { Guard } from './guard.tsx';

/** Which agents are here, the hooks in them, and the guard that hooks may ask. */
export const Agents = (): ReactElement => {
  const { texts } = useLanguage();
  const [round, setRound] = useState(0);
  return (
    <>
      <Intro>{texts.settings.agents.intro}</Intro>
      {/* The guard changes what would be written, so all is asked anew. */}
      <AgentList key={round} />
      <Guard onSwitch={() => setRound(round + 1)} />
    </>
  );
};
