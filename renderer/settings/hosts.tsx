import type { Said } from '../../app/format/said.ts';
import { useState, type ReactElement } from 'react';
import { isHostName } from '../../app/remote/host-list.ts';
import { problemOfHost } from '../state/shown-problems.ts';
import { Button } from '../parts/input/button.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Intro, Row, Rows, Section } from '../parts/display/section.tsx';
import { TextField } from '../parts/input/text-field.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './rules/rules.module.css';

const HostRow = ({ host }: { readonly host: string }): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.settings.hosts;
  const { settings, health } = useSnapshot();
  const { hosts } = settings.values;
  const check = useAction('host.check');
  const change = useAction('settings.change');
  const [answer, setAnswer] = useState<Said | null>(null);
  const told = answer ?? problemOfHost(health.problems, host);
  return (
    <>
      <Row label={host} {...(told === null ? {} : { body: <span role="status">{voice.said(told)}</span> })}>
        <Button
          size="small"
          disabled={check.busy}
          aria-label={words.checkName(host)}
          onClick={() => void check.run({ host }).then((result) => setAnswer(result?.text ?? null))}
        >
          {words.check}
        </Button>
        <Button
          size="small"
          look="plain"
          disabled={change.busy}
          aria-label={words.removeName(host)}
          onClick={() => void change.run({ changes: { hosts: hosts.filter((other) => other !== host) } })}
        >
          {texts.common.remove}
        </Button>
      </Row>
      <FailureNote failure={check.failure ?? change.failure} />
    </>
  );
};

/** Machines that are watched over SSH. */
export const Hosts = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.hosts;
  const { hosts } = useSnapshot().settings.values;
  const change = useAction('settings.change');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = (): void => {
    const host = name.trim();
    const refused = !isHostName(host) ? words.bad : hosts.includes(host) ? words.twice : null;
    setProblem(refused);
    if (refused !== null) return;
    void change.run({ changes: { hosts: [...hosts, host] } }).then((done) => {
      if (done !== null) setName('');
    });
  };
  return (
    <>
      <Intro>{words.intro}</Intro>
      {hosts.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <Rows>
          {hosts.map((host) => (
            <HostRow key={host} host={host} />
          ))}
        </Rows>
      )}
      <Section>
        <div className={styles.tester}>
          <TextField label={words.label} hint={words.hint} value={name} onChange={setName} problem={problem} />
          <Button disabled={name.trim() === '' || change.busy} onClick={add}>
            {words.add}
          </Button>
        </div>
        <FailureNote failure={change.failure} />
      </Section>
    </>
  );
};
