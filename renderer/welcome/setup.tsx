import { useEffect, useRef, type ReactElement } from 'react';
import { Rows, Section } from '../parts/display/section.tsx';
import { Button } from '../parts/input/button.tsx';
import { SwitchRow } from '../parts/input/switch-row.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { AgentList } from '../settings/agents/agent-list.tsx';
import { AutostartRow } from '../settings/autostart-row.tsx';
import { PagePermission } from '../settings/page-permission.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './welcome.module.css';

/** The second step: hooks, start at login, notifications. Each is optional and holds at once. */
export const Setup = ({ onDone }: { readonly onDone: () => void }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.welcome.setup;
  const { platform, settings } = useSnapshot();
  const change = useAction('settings.change');
  const { beforeReapBody, beforeReapBodyOnPage } = texts.settings.notifications;
  const notice = format.limit(settings.values.noticeSeconds);
  const title = useRef<HTMLHeadingElement>(null);
  // Once: a callback made anew at each look took the focus from the control in use.
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <h1 className={styles.title} tabIndex={-1} ref={title}>
        {words.title}
      </h1>
      <p className={styles.note}>{words.body}</p>
      <Section title={words.hooks} body={words.hooksBody}>
        <AgentList onlyHookable />
      </Section>
      <Section title={words.always}>
        <Rows>
          <AutostartRow />
          {platform.surface === 'page' ? <PagePermission /> : null}
          <SwitchRow
            label={words.notify}
            body={(platform.surface === 'page' ? beforeReapBodyOnPage : beforeReapBody)(notice)}
            checked={settings.values.notifications.beforeReap}
            disabled={change.busy}
            onChange={(on) => void change.run({ changes: { 'notifications.beforeReap': on } })}
          />
        </Rows>
        <FailureNote failure={change.failure} />
      </Section>
      <div className={styles.actions}>
        <Button look="solid" onClick={onDone}>
          {words.done}
        </Button>
      </div>
      <p className={styles.note}>{words.later}</p>
    </>
  );
};
