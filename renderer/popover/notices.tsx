import type { ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { ConnectionNotice } from '../parts/message/connection-notice.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { Spliced } from '../parts/text/spliced.tsx';
import { AtTime } from '../parts/text/times.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { News } from './news.tsx';
import styles from './notices.module.css';
import { shownProblems } from '../state/shown-problems.ts';

/** Number of unreachable machines named in a shared notice; the settings list all. */
const maxNamedHosts = 3;

const Paused = (): ReactElement | null => {
  const { texts } = useLanguage();
  const words = texts.popover;
  const { pausedUntil } = useSnapshot();
  if (pausedUntil === null) return null;
  return (
    <Notice tone="quiet" icon="pause" live="polite">
      {pausedUntil === 'forever' ? (
        <p>{words.pausedNotice}</p>
      ) : (
        <p>
          <Spliced text={words.pausedUntil}>
            <AtTime at={pausedUntil} />
          </Spliced>
        </p>
      )}
    </Notice>
  );
};

const Unchosen = (): ReactElement | null => {
  const { texts } = useLanguage();
  const { modeChosen } = useSnapshot();
  if (modeChosen) return null;
  return (
    <Notice
      tone="quiet"
      icon="info"
      actions={
        <Button
          size="small"
          onClick={() => {
            window.location.hash = '#/welcome';
          }}
        >
          {texts.popover.chooseButton}
        </Button>
      }
    >
      <p>{texts.popover.choose}</p>
    </Notice>
  );
};

/** What the user should know before the jobs. Usually empty. */
export const Notices = (): ReactElement => {
  const { texts, voice } = useLanguage();
  const { health, platform } = useSnapshot();
  const { alone, hosts } = shownProblems(health.problems);
  return (
    <div className={styles.notices}>
      {platform.surface === 'page' ? null : <ConnectionNotice />}
      {health.journalWritable || health.problems.some(({ code }) => code === 'journal') ? null : (
        <Notice tone="red" icon="alert" live="polite">
          <p>{texts.popover.journal}</p>
        </Notice>
      )}
      {alone.map((problem) => (
        <Notice
          key={`${problem.code} ${voice.said(problem.text)}`}
          tone={problem.severity === 'failure' ? 'red' : 'amber'}
          icon="alert"
          live="polite"
        >
          <p>{voice.said(problem.text)}</p>
          {problem.advice === null ? null : <p>{voice.said(problem.advice)}</p>}
        </Notice>
      ))}
      {hosts.length === 0 ? null : (
        <Notice tone="amber" icon="alert" live="polite">
          <p>{texts.popover.hostsOut(hosts.length, hosts.slice(0, maxNamedHosts).map(visibleText).join(', '))}</p>
        </Notice>
      )}
      {platform.canReap ? null : (
        <Notice tone="quiet" icon="info">
          <p>{texts.popover.cannotReap}</p>
        </Notice>
      )}
      <Paused />
      <Unchosen />
      <News />
    </div>
  );
};
