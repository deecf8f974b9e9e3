import type { ReactElement } from 'react';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import { baseName } from '../../../app/paths/path.ts';
import { Icon, type IconName } from '../../parts/display/icon.tsx';
import { Notice } from '../../parts/display/notice.tsx';
import { useSecondsUntil } from '../../parts/text/times.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { endingOf, endingSentence } from '../../../app/text/outcomes.ts';
import { useLanguage, type Language } from '../../texts/texts-context.ts';
import styles from './reaping-progress.module.css';

/** Says how many processes ended and what that freed; null if none was confirmed dead. */
const freedWords = ({ freed }: ReapingView, { texts, format }: Language): string | null => {
  if (freed === null || freed.processes === 0) return null;
  const { ports, locks, rssBytes, processes } = freed;
  const words = [
    ...(rssBytes > 0 ? [format.bytes(rssBytes)] : []),
    ...(ports.length === 1 ? [texts.common.port(ports[0] ?? 0)] : []),
    ...(ports.length > 1 ? [texts.common.ports(ports.join(', '))] : []),
    ...locks.map(baseName),
  ];
  const { endedCount, freed: freedText } = texts.popover.reaping;
  return [endedCount(processes), ...(words.length === 0 ? [] : [freedText(format.list(words))])].join(' ');
};

const Ended = ({ reaping }: { readonly reaping: ReapingView }): ReactElement => {
  const language = useLanguage();
  const { voice } = language;
  const { outcome } = reaping;
  const failed = outcome === 'survived' || outcome === 'spared' || outcome === 'interrupted';
  const icon: IconName = failed ? 'alert' : 'check';
  const freed = freedWords(reaping, language);
  return (
    <Notice tone={failed ? 'red' : 'quiet'} icon={icon} live={failed ? 'assertive' : 'polite'}>
      {outcome === 'reaped' && freed !== null ? null : <p>{voice.said(endingSentence(endingOf(reaping)))}</p>}
      {freed === null ? null : <p>{freed}</p>}
      {reaping.problem === null ? null : <p>{visibleText(voice.said(reaping.problem))}</p>}
    </Notice>
  );
};

/** Progress of a reaping, in the place of the time bar. */
export const ReapingProgress = ({ reaping }: { readonly reaping: ReapingView }): ReactElement => {
  const { texts, voice, format } = useLanguage();
  const seconds = useSecondsUntil(reaping.graceEndsAt);
  if (reaping.phase === 'ended') return <Ended reaping={reaping} />;
  const { reaping: words } = texts.popover;
  const asked = reaping.phase === 'asked';
  const line = voice.said(endingSentence(reaping.phase, reaping.signal));
  const share = reaping.processes === 0 ? 0 : 1 - reaping.left / reaping.processes;
  return (
    <div className={styles.progress}>
      <div className={styles.line} role="status">
        <Icon name="moon" />
        <span>{line}</span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={line}
        aria-valuemin={0}
        aria-valuemax={reaping.processes}
        aria-valuenow={reaping.processes - reaping.left}
        aria-valuetext={words.remaining(reaping.left, reaping.processes)}
      >
        <div className={styles.fill} style={{ inlineSize: `${(share * 100).toFixed(1)}%` }} />
      </div>
      <div className={styles.legend}>
        <span>{words.remaining(reaping.left, reaping.processes)}</span>
        {asked && reaping.graceEndsAt !== null ? <span>{words.left(format.duration(seconds))}</span> : null}
      </div>
    </div>
  );
};
