import { useEffect, type ReactElement } from 'react';
import { canEnd } from '../../app/contract/claims/leftovers.ts';
import type { PortHolder, PortList, PortView } from '../../app/contract/views/port-view.ts';
import type { SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { sayDevLock } from '../../app/text/abandoned/locks.ts';
import { sayHolder } from '../../app/text/ports.ts';
import { AgentMark } from '../parts/display/agent-mark.tsx';
import { Centred } from '../parts/display/centred.tsx';
import { Heading } from '../parts/display/heading.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { View } from '../parts/display/view.tsx';
import { Button } from '../parts/input/button.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Command } from '../parts/text/command.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { EndQuestion } from '../popover/agents/end-question.tsx';
import { ProcessTree } from '../popover/details/process-tree.tsx';
import { useAction } from '../state/use-action.ts';
import { useConfirmed } from '../state/use-confirmed.ts';
import { useRepeated } from '../state/use-repeated.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './ports.module.css';

interface HolderProps {
  readonly view: PortView;
  readonly holder: PortHolder;
}

/** The end of a job that listens, which shows its processes first. */
const EndHolder = ({ port, job }: { readonly port: number; readonly job: SnapshotJob }): ReactElement => {
  const words = useLanguage().texts.ports;
  const reap = useAction('job.reap');
  return (
    <>
      <EndQuestion
        endName={words.endName(port, visibleText(job.command).slice(0, 120))}
        title={words.askTitle(port)}
        body={words.askBody}
        busy={reap.busy}
        onEnd={() => void reap.run({ job: job.id })}
      >
        <ProcessTree job={job} />
      </EndQuestion>
      <FailureNote failure={reap.failure} />
    </>
  );
};

const CopyAgain = ({ again }: { readonly again: string }): ReactElement => {
  const { texts } = useLanguage();
  const copy = useAction('app.copy');
  const [copied, confirm] = useConfirmed<true>();
  return (
    <>
      <Button
        size="small"
        onClick={() => {
          void copy.run({ text: again }).then((done) => {
            confirm(done === null ? null : true);
          });
        }}
      >
        {texts.ports.again}
      </Button>
      <span role="status">{copied === null ? '' : texts.common.copied}</span>
      <FailureNote failure={copy.failure} />
    </>
  );
};

const Holder = ({ view, holder }: HolderProps): ReactElement => {
  const { texts, format, voice } = useLanguage();
  const snapshot = useSnapshot();
  const { port } = view;
  const { job, again } = holder;
  const shown = snapshot.jobs.find(({ id, host }) => host === 'local' && id === job?.id);
  const reasons = shown?.verdict.reasons.map((reason) => voice.reason(reason, shown.ownerSaid));
  const details = [...sayHolder(view, holder, null, reasons).details, ...view.locks.map(sayDevLock)];
  return (
    <li id={`port-${port}`} className={styles.holder} tabIndex={-1}>
      <span className={styles.port}>:{port}</span>
      <div className={styles.what}>
        <span className={styles.name}>
          {job === null ? null : <AgentMark agent={job.agent} />}
          <Command text={job?.command ?? holder.command} />
        </span>
        <span className={styles.quiet}>
          <ForeignText text={holder.name} /> · {texts.common.process(holder.pid)} · {format.duration(holder.ageSeconds)}
        </span>
        {details
          .map((one) => voice.said(one))
          .map((text) => (
            <span key={text} className={styles.quiet}>
              <ForeignText text={text} />
            </span>
          ))}
        <span className={styles.actions}>
          {shown === undefined || !canEnd(shown, snapshot) ? null : <EndHolder port={port} job={shown} />}
          {again === null ? null : <CopyAgain again={again} />}
        </span>
      </div>
    </li>
  );
};

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly held: readonly HolderProps[];
}

const Group = ({ id, title, held }: GroupProps): ReactElement | null =>
  held.length === 0 ? null : (
    <section className={styles.group} aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      <ul className={styles.holders}>
        {held.map((one) => (
          <Holder key={`${one.view.port} ${one.holder.pid}`} {...one} />
        ))}
      </ul>
    </section>
  );

const Listed = ({ ports }: Pick<PortList, 'ports'>): ReactElement => {
  const words = useLanguage().texts.ports;
  const held = ports.flatMap((view) => view.holders.map((holder) => ({ view, holder })));
  if (held.length === 0)
    return (
      <Centred picture={<Icon name="moon" />} title={words.emptyTitle}>
        <p>{words.emptyBody}</p>
      </Centred>
    );
  return (
    <>
      <Group id="of-agents" title={words.jobsTitle} held={held.filter(({ holder: { job } }) => job !== null)} />
      <Group id="of-the-user" title={words.othersTitle} held={held.filter(({ holder: { job } }) => job === null)} />
    </>
  );
};

/**
 * What listens on ports of this machine, as `curfew port` says it, read again while the window is
 * visible.
 */
export const Ports = ({ port }: { readonly port: string | null }): ReactElement => {
  const words = useLanguage().texts.ports;
  const { value, failure, again } = useRepeated('ports.list', {});
  const isThere = value !== null;
  useEffect(() => {
    if (isThere && port !== null) document.querySelector<HTMLElement>(`#port-${CSS.escape(port)}`)?.focus();
  }, [isThere, port]);
  return (
    <View title={words.title}>
      <FailureNote failure={failure} again={again} />
      {value === null ? failure === null ? <p role="status">{words.loading}</p> : null : <Listed ports={value.ports} />}
    </View>
  );
};
