import type { ReactElement } from 'react';
import type { SessionList } from '../../app/contract/views/session-costs.ts';
import { projectName } from '../../app/format/project-name.ts';
import { EndSession } from '../popover/leftovers/end-group.tsx';
import { EndQuestion } from '../popover/agents/end-question.tsx';
import { AgentMark } from '../parts/display/agent-mark.tsx';
import { StateWord } from '../parts/display/state-word.tsx';
import { Heading } from '../parts/display/heading.tsx';
import { SortHead } from '../parts/table/sort-head.tsx';
import { sortedBy, type SortKeys } from '../parts/table/sorting.ts';
import type { ChosenSorting } from '../parts/table/use-sorting.ts';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Command } from '../parts/text/command.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { useAction } from '../state/use-action.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './sessions.module.css';

type SessionCost = SessionList['sessions'][number];

const toneOf = ({ state, jobs }: SessionCost): 'amber' | 'quiet' =>
  state === 'unreachable' || (state === 'gone' && jobs > 0) ? 'amber' : 'quiet';

const Memory = ({ memory }: Pick<SessionCost, 'memory'>): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.sessions;
  const bytes = format.bytes(memory.bytes);
  return (
    <>
      {memory.measured === 'pss' ? bytes : words.atMost(bytes)}
      {memory.privateBytes === null ? null : (
        <span className={styles.quiet}>{words.frees(format.bytes(memory.privateBytes))}</span>
      )}
    </>
  );
};

/** The end of an idle agent, which asks first and says what brings its session back. */
const EndAgent = ({ session }: { readonly session: SessionCost }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.sessions;
  const reap = useAction('job.reap');
  // A background session is never signalled: its agent's own command ends it.
  const stop = useAction('agent.end');
  const { agentName, pid, resume, memory, end, ownEnd } = session;
  const endIt = (): void => {
    if (ownEnd !== null) void stop.run({ id: ownEnd });
    else if (end !== null) void reap.run({ job: end });
  };
  return (
    <span>
      <EndQuestion
        endName={texts.popover.agents.endName(agentName, String(pid))}
        title={texts.popover.agents.askTitle(agentName)}
        body={resume === null ? words.noWayBack : words.wayBack}
        busy={reap.busy || stop.busy}
        onEnd={endIt}
      >
        {resume === null ? null : <Command text={resume} />}
        {memory.privateBytes === null ? null : <p>{words.frees(format.bytes(memory.privateBytes))}</p>}
      </EndQuestion>
      <FailureNote failure={reap.failure ?? stop.failure} />
    </span>
  );
};

const Row = ({ session }: { readonly session: SessionCost }): ReactElement => {
  const { texts, format, voice } = useLanguage();
  const words = texts.sessions;
  const { agent, agentName, project, pid, state, unreachableSaid, ageSeconds } = session;
  const sizeOf = ({ bytes, measured }: SessionCost['memory']): string =>
    measured === 'pss' ? format.bytes(bytes) : words.atMost(format.bytes(bytes));
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>
          <AgentMark agent={agent} />
          <span className={styles.words}>
            <span className={styles.first}>
              <span className={styles.project} title={project ?? undefined}>
                {project === null ? texts.common.noProject : <ForeignText text={projectName(project) ?? project} />}
              </span>
              <StateWord tone={toneOf(session)}>{words.state[state]}</StateWord>
            </span>
            <span className={styles.quiet}>
              {agentName}
              {pid === null ? null : ` · ${texts.common.process(pid)}`}
              {ageSeconds === null ? null : <span className={styles.age}> · {format.duration(ageSeconds)}</span>}
            </span>
            {session.servers === 0 ? null : (
              <span className={styles.quiet}>
                {words.ofSession(session.servers, sizeOf(session.serverMemory), session.mostCopies)}
              </span>
            )}
            {session.id === null || session.jobs === 0 ? null : (
              <span>
                <EndSession agent={agent} id={session.id} />
              </span>
            )}
            {session.idleSaid === null || session.idle?.state === 'unknown' ? null : (
              <span className={styles.quiet}>{voice.said(session.idleSaid)}</span>
            )}
            {session.end === null && session.ownEnd === null ? null : <EndAgent session={session} />}
            {unreachableSaid === null ? null : <span className={styles.quiet}>{voice.said(unreachableSaid)}</span>}
          </span>
        </span>
      </th>
      <td>{ageSeconds === null ? '–' : format.duration(ageSeconds)}</td>
      <td>
        <Memory memory={session.memory} />
      </td>
      <td title={format.duration(session.cpuSeconds)}>{format.percent(session.cpuPercent)}</td>
      <td>{format.number(session.jobs)}</td>
      <td>{format.number(session.servers)}</td>
      <td>{format.number(session.duplicates)}</td>
    </tr>
  );
};

export type SessionColumn = 'session' | 'age' | 'memory' | 'cpu' | 'jobs' | 'servers' | 'duplicates';

/** The order that a column is first sorted in: names from A, figures from the largest. */
export const firstDirection: Readonly<Record<SessionColumn, 'ascending' | 'descending'>> = {
  session: 'ascending',
  age: 'descending',
  memory: 'descending',
  cpu: 'descending',
  jobs: 'descending',
  servers: 'descending',
  duplicates: 'descending',
};

const sortKeys: SortKeys<SessionColumn, SessionCost> = {
  session: ({ project }) => projectName(project),
  age: ({ ageSeconds }) => ageSeconds,
  memory: ({ memory }) => memory.bytes,
  cpu: ({ cpuPercent }) => cpuPercent,
  jobs: ({ jobs }) => jobs,
  servers: ({ servers }) => servers,
  duplicates: ({ duplicates }) => duplicates,
};

interface SessionTableProps extends ChosenSorting<SessionColumn> {
  readonly id: string;
  readonly title: string;
  readonly sessions: readonly SessionCost[];
}

/** Sessions in a table that the user sorts, and that scrolls sideways in a narrow window. */
export const SessionTable = ({ id, title, sessions, sorting, onSort }: SessionTableProps): ReactElement => {
  const { texts } = useLanguage();
  const { column } = texts.sessions;
  return (
    <div className={styles.group}>
      <Heading id={id}>{title}</Heading>
      {/* Scrolled by keyboard, too: https://www.w3.org/WAI/WCAG21/Understanding/keyboard. */}
      <div className={styles.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <table className={styles.table} aria-labelledby={id}>
          <thead>
            <tr>
              {(Object.keys(firstDirection) as readonly SessionColumn[]).map((name) => (
                <SortHead key={name} column={name} label={column[name]} sorting={sorting} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sortedBy(sessions, sorting, sortKeys).map((session) => (
              <Row key={`${session.agent} ${session.pid} ${session.id} ${session.source}`} session={session} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};
