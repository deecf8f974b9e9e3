import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { baseName } from '../../../app/paths/path.ts';
import type { Language } from '../../texts/texts-context.ts';
import { wordOf } from '../../texts/word-of.ts';

/** Urgency of a fact on a card; its words express it too. */
export type Tone = 'red' | 'amber' | 'quiet';

/** One short reason on a card. */
export interface ChipText {
  readonly key: string;
  readonly tone: Tone;
  readonly text: string;
  /** The engine's sentence, as a tooltip. */
  readonly title?: string;
}

interface Subject {
  readonly job: SnapshotJob;
  readonly nowMs: number;
  readonly language: Language;
}

const sentence = ({ job, language }: Subject, code: string): { readonly title?: string } => {
  const reason = job.verdict.reasons.find((one) => one.code === code);
  return reason === undefined ? {} : { title: language.voice.reason(reason, job.ownerSaid) };
};

const serverReasons: ReadonlySet<string> = new Set([
  'server-reported',
  'server-replaced',
  'server-detached',
  'closed-ends',
]);

/** Its age; servers of sessions have no limits, so theirs says nothing. */
const age = ({ job, nowMs, language }: Subject): readonly ChipText[] => {
  const { chips } = language.texts.popover;
  if (job.kind === 'server') {
    const why = job.verdict.reasons.find(({ code }) => serverReasons.has(code));
    const title = why === undefined ? {} : { title: language.voice.reason(why, job.ownerSaid) };
    const left = why?.code === 'server-replaced' ? 'replaced' : 'detached';
    const isOffered = why?.code === 'server-replaced' || why?.code === 'server-detached';
    return [
      { key: 'server', tone: 'quiet', text: chips.server, ...title },
      ...(isOffered ? [{ key: left, tone: 'amber' as const, text: chips[left], ...title }] : []),
    ];
  }
  const seconds = (nowMs - Date.parse(job.startedAt)) / 1000;
  return [{ key: 'age', tone: 'quiet', text: chips.age(language.format.duration(seconds)) }];
};

const owner = ({ job, nowMs, language }: Subject): readonly ChipText[] => {
  const { texts, format } = language;
  const title = { title: language.voice.owner(job.owner, job.ownerEvidence, job.ownerSaid) };
  if (job.owner === 'unknown')
    return [{ key: 'owner', tone: 'quiet', text: texts.popover.chips.sessionUnknown, ...title }];
  if (job.owner === 'live') return [];
  const tone = job.verdict.state === 'orphaned' ? 'amber' : 'quiet';
  if (job.goneSince === null) return [{ key: 'owner', tone, text: texts.popover.chips.sessionEnded, ...title }];
  const sinceSeconds = (nowMs - Date.parse(job.goneSince)) / 1000;
  return [{ key: 'owner', tone, text: texts.popover.chips.sessionEndedAgo(format.ago(sinceSeconds)), ...title }];
};

const activity = ({ job, nowMs, language }: Subject): readonly ChipText[] => {
  const { texts, format } = language;
  const { silentSince, holds } = job;
  if (silentSince === null) {
    return holds.cpuPercent >= 50
      ? [{ key: 'cpu', tone: 'quiet', text: texts.popover.chips.cpu(format.percent(holds.cpuPercent)) }]
      : [];
  }
  const { noCpu, silent } = texts.popover.chips;
  return [
    {
      key: 'silent',
      tone: 'quiet',
      text: (job.output === null ? noCpu : silent)(format.roughly((nowMs - Date.parse(silentSince)) / 1000)),
    },
  ];
};

const diagnoses = ({ job, language }: Subject): readonly ChipText[] =>
  job.diagnosed.map((diagnosis) => {
    const title = language.voice.reason(diagnosis);
    const text = wordOf(language.texts.popover.chips.diagnoses, diagnosis.code, title);
    return { key: `diagnosis-${diagnosis.code}`, tone: 'amber', text, title };
  });

/** Less than this is not worth a chip. */
const notableBytes = 100_000_000;

const holdings = ({ job, language }: Subject): readonly ChipText[] => {
  const { texts, format } = language;
  const { ports, locks, rssBytes } = job.holds;
  const { holdsPort, holdsPorts, holdsLock } = texts.popover.chips;
  const portText = ports.length === 1 ? holdsPort(String(ports[0])) : holdsPorts(ports.join(', '));
  return [
    ...(ports.length === 0 ? [] : [{ key: 'ports', tone: 'quiet' as const, text: portText }]),
    ...locks.map((lock) => ({
      key: `lock-${lock}`,
      tone: 'quiet' as const,
      text: holdsLock(baseName(lock)),
      title: lock,
    })),
    ...(rssBytes < notableBytes ? [] : [{ key: 'memory', tone: 'quiet' as const, text: format.bytes(rssBytes) }]),
  ];
};

const mode = (subject: Subject): readonly ChipText[] =>
  subject.job.verdict.reasons.some(({ code }) => code === 'observe-mode')
    ? [
        {
          key: 'mode',
          tone: 'quiet',
          text: subject.language.texts.popover.chips.wouldEnd,
          ...sentence(subject, 'observe-mode'),
        },
      ]
    : [];

/** Returns the short reasons why a job is shown, the most important first. */
export const chipsOf = (subject: Subject): readonly ChipText[] =>
  [diagnoses, owner, age, activity, holdings, mode].flatMap((part) => part(subject));
