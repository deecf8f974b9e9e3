import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { Tone } from '../../parts/display/chip.tsx';
import type { Language } from '../../texts/texts-context.ts';
import { wordOf } from '../../texts/word-of.ts';
import { jobLimits } from '../details/job-limits.ts';

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
  readonly settings: SettingsView;
  readonly nowMs: number;
  /** False while nothing is ended automatically: then no card announces an end. */
  readonly endsByItself: boolean;
  readonly language: Language;
}

const sentence = ({ job, language }: Subject, code: string): { readonly title?: string } => {
  const reason = job.verdict.reasons.find((one) => one.code === code);
  return reason === undefined ? {} : { title: language.voice.reason(reason) };
};

/** Age against the limits; red only past the hard cap. Servers of sessions have no limits. */
const overstay = (subject: Subject): readonly ChipText[] => {
  const { job, settings, nowMs, language } = subject;
  const { texts, format } = language;
  if (job.kind === 'server') {
    const why = job.verdict.reasons.find(({ code }) => code === 'server-reported' || code === 'closed-ends');
    const title = why === undefined ? {} : { title: language.voice.reason(why) };
    return [{ key: 'server', tone: 'quiet', text: texts.popover.chips.server, ...title }];
  }
  const age = (nowMs - Date.parse(job.startedAt)) / 1000;
  const { softSeconds, capSeconds } = jobLimits(job, settings);
  const overCap = age - capSeconds;
  if (overCap >= 0)
    return [
      {
        key: 'cap',
        tone: 'red',
        text: texts.popover.chips.pastCap(format.roughly(overCap)),
        ...sentence(subject, 'past-hard-cap'),
      },
    ];
  const over = age - softSeconds;
  if (job.verdict.state !== 'overdue' || over < 0) return [];
  return [
    {
      key: 'over',
      tone: 'amber',
      text: texts.popover.chips.over(format.roughly(over)),
      ...sentence(subject, 'past-max-elapsed'),
    },
  ];
};

const owner = ({ job, nowMs, language }: Subject): readonly ChipText[] => {
  const { texts, format } = language;
  const title = { title: language.voice.owner(job.owner, job.ownerEvidence) };
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
      text: holdsLock(lock.split('/').at(-1) ?? lock),
      title: lock,
    })),
    ...(rssBytes < notableBytes ? [] : [{ key: 'memory', tone: 'quiet' as const, text: format.bytes(rssBytes) }]),
  ];
};

const next = (subject: Subject): readonly ChipText[] => {
  const { job, nowMs, endsByItself, language } = subject;
  const { chips } = language.texts.popover;
  if (job.verdict.reasons.some((reason) => reason.code === 'observe-mode'))
    return [{ key: 'next', tone: 'quiet', text: chips.wouldEnd, ...sentence(subject, 'observe-mode') }];
  if (!endsByItself) return [];
  if (job.verdict.state === 'protected' || job.verdict.state === 'kept' || job.verdict.at === null) return [];
  const seconds = (Date.parse(job.verdict.at) - nowMs) / 1000;
  if (job.verdict.action === 'reap' && seconds < 1) return [{ key: 'next', tone: 'amber', text: chips.endsNow }];
  if (seconds < 1 || job.verdict.action === 'none' || seconds > 3600) return [];
  return [
    {
      key: 'next',
      tone: 'quiet',
      text: chips.endsIn(language.format.roughly(seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60)),
    },
  ];
};

/** Returns the short reasons why a job is shown, the most important first. */
export const chipsOf = (subject: Subject): readonly ChipText[] =>
  [overstay, diagnoses, owner, activity, holdings, next].flatMap((part) => part(subject));
