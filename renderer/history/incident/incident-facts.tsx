import type { ReactElement, ReactNode } from 'react';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import { AtTime } from '../../parts/text/times.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './incident-detail.module.css';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** What was freed, what decided, where and when. */
export const IncidentFacts = ({ incident }: { readonly incident: IncidentView }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.history;
  const { freed } = incident;
  const freedWords = [
    ...(freed.processes > 0 ? [texts.common.processes(freed.processes)] : []),
    ...(freed.rssBytes > 0 ? [format.bytes(freed.rssBytes)] : []),
    ...(freed.ports.length === 1 ? [texts.common.port(freed.ports[0] ?? 0)] : []),
    ...(freed.ports.length > 1 ? [texts.common.ports(freed.ports.join(', '))] : []),
    ...(freed.locks.length > 0 ? [words.detail.locks(freed.locks.join(', '))] : []),
  ];
  return (
    <dl className={styles.facts}>
      <Fact name={words.detail.freed}>
        {freedWords.length === 0 ? words.detail.nothingFreed : visibleText(format.list(freedWords))}
        {freed.cameAndWent === 0 ? '' : ` (${words.detail.cameAndWent(freed.cameAndWent)})`}
      </Fact>
      <Fact name={words.detail.when}>
        <AtTime at={incident.at} />
      </Fact>
      <Fact name={words.detail.age}>{format.duration(incident.ageSeconds)}</Fact>
      <Fact name={words.detail.decided}>{words.deciders[incident.decidedBy]}</Fact>
      <Fact name={words.filters.agent}>{agentName(incident.agent, incident.rule)}</Fact>
      {incident.project === null ? null : <Fact name={words.detail.project}>{visibleText(incident.project)}</Fact>}
      {incident.session === null ? null : <Fact name={words.detail.session}>{visibleText(incident.session)}</Fact>}
      {incident.host === 'local' ? null : <Fact name={words.detail.host}>{visibleText(incident.host)}</Fact>}
    </dl>
  );
};
