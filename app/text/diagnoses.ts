import type { Diagnosis } from '../model/job.ts';
import { formatAge } from '../format/age.ts';
import { visibleText } from '../format/visible.ts';
import { formatBytes } from '../format/bytes.ts';
import { counted, inBrackets, numberOf, textOf, type Figures } from './figures.ts';

const since = (figures: Figures): string => {
  const seconds = numberOf(figures, 'seconds');
  return seconds === null ? '' : ` for ${formatAge(seconds)}`;
};
const process = (figures: Figures): string => {
  const pid = numberOf(figures, 'pid');
  return pid === null ? '' : ` (process ${pid})`;
};
const percent = (figures: Figures): string => {
  const share = numberOf(figures, 'cpuPercent');
  return share === null ? 'the processor' : `${Math.round(share)} % of a core`;
};

const probably = (figures: Figures): string => (numberOf(figures, 'doubt') === null ? '' : 'probably ');

const input = (figures: Figures): string => {
  const kind = textOf(figures, 'kind');
  return `it waits for input that will not come${since(figures)}${kind === '' ? '' : ` (its standard input is ${kind})`}${process(figures)}`;
};

const pipe = (figures: Figures): string => {
  const writers = textOf(figures, 'writers');
  const why: Readonly<Record<string, string>> = {
    itself: 'whose only writer is the reader itself',
    job: `that only processes waiting for it could write to${inBrackets(writers)}`,
    unopened: 'that no process opens at its other end',
  };
  const writer = why[textOf(figures, 'writer')] ?? 'that no process writes to';
  return `it ${probably(figures)}waits on a pipe ${writer}${since(figures)}${process(figures)}`;
};

const lockHolder = (figures: Figures): string => {
  const holder = numberOf(figures, 'holder');
  const command = textOf(figures, 'command');
  if (holder === null) return 'its holder can’t be seen';
  if (numberOf(figures, 'holderGone') !== null) return `process ${holder}, which it names, has ended`;
  const own = numberOf(figures, 'own') === null ? '' : ' of its own, which waits too';
  return `process ${holder}${own} holds it${command === '' ? '' : `: ${command}`}`;
};

const lock = (figures: Figures): string => {
  const file = textOf(figures, 'file');
  const how = numberOf(figures, 'polls') === null ? 'waits for a lock' : 'polls for a lock file';
  return `it ${how}${since(figures)}${inBrackets(file)}; ${lockHolder(figures)}`;
};

const polling = (figures: Figures): string => {
  const condition = textOf(figures, 'condition');
  const itself = numberOf(figures, 'itself') === null ? '' : '; its search matches its own shell, so it never ends';
  return `it is ${probably(figures)}polling${since(figures)} without success${condition === '' ? '' : `: ${condition}`}${process(figures)}${itself}`;
};

const spinning = (figures: Figures): string => {
  const doubt =
    numberOf(figures, 'doubt') === null
      ? 'and produced nothing'
      : 'and read, wrote and touched nothing new, so it is probably a busy loop';
  return `it has used ${percent(figures)}${since(figures)} ${doubt}${process(figures)}`;
};

const descriptors = (figures: Figures): string => {
  const fds = numberOf(figures, 'fds');
  const more = numberOf(figures, 'more');
  const limit = numberOf(figures, 'limit');
  const grown = more === null ? '' : ` (${more} more${since(figures)})`;
  const known = fds === null ? '' : `, ${counted(fds, 'descriptor')}${limit === null ? '' : ` of ${limit}`} so far`;
  return `it keeps opening files without closing them${known}${grown}${process(figures)}`;
};

const flooding = (figures: Figures): string => {
  const bytes = numberOf(figures, 'bytes') ?? numberOf(figures, 'outputBytes');
  const rate = numberOf(figures, 'bytesPerSecond');
  const free = numberOf(figures, 'freeBytes');
  const full = numberOf(figures, 'fullInSeconds');
  return [
    'its output is growing fast',
    ...(bytes === null ? [] : [`${formatBytes(bytes)} so far`]),
    ...(rate === null ? [] : [`${formatBytes(rate)} more each second`]),
    ...(free === null
      ? []
      : [`${formatBytes(free)} are free there${full === null ? '' : `, enough for ${formatAge(full)}`}`]),
  ].join(', ');
};

const connection = (figures: Figures): string => {
  const to = textOf(figures, 'address') || textOf(figures, 'remote');
  const seconds = numberOf(figures, 'seconds');
  const unsent = numberOf(figures, 'unacknowledgedBytes');
  const unread = numberOf(figures, 'unreadBytes');
  const sent = numberOf(figures, 'sentBytes');
  const received = numberOf(figures, 'receivedBytes');
  const details = [
    ...(sent === null || received === null
      ? []
      : [`; since it was opened it sent ${formatBytes(sent)} and received ${formatBytes(received)}`]),
    ...(figures['keptAlive'] === 0 ? ['; if the other side has gone, it will never notice'] : []),
    ...(unsent === null ? [] : [`; the other side has not confirmed ${formatBytes(unsent)}`]),
    ...(unread === null ? [] : [`; it has not read ${formatBytes(unread)} that came`]),
  ].join('');
  const long = seconds === null ? '' : ` for at least ${formatAge(seconds)}, and nothing came or went`;
  return `it holds a connection open${to === '' ? '' : ` to ${to}`}${long}${details}${process(figures)}`;
};

const memory = (figures: Figures): string => {
  const rss = numberOf(figures, 'rssBytes');
  const swap = numberOf(figures, 'swapBytes') ?? 0;
  const pressure = numberOf(figures, 'pressurePercent');
  const has =
    rss === null ? 'much of it' : `${formatBytes(rss)}${swap > 0 ? `, and ${formatBytes(swap)} in swap` : ''}`;
  return `memory is scarce${pressure === null ? '' : ` (processes waited for it during ${pressure} % of the last minute)`}, and it has ${has}`;
};

const zombies = (figures: Figures): string => {
  const count = numberOf(figures, 'count');
  const parent = textOf(figures, 'parent');
  const children = count === null ? 'children have' : counted(count, 'child has', 'children have');
  const pid = numberOf(figures, 'pid');
  const onlyParent =
    pid === null || parent === '' ? process(figures) : ` (only ${parent}, process ${pid}, can collect them)`;
  return `${children} ended and ${count === 1 ? 'was' : 'were'} never collected by the parent${onlyParent}`;
};

const sentences: Readonly<Record<Diagnosis['code'], (figures: Figures) => string>> = {
  'waiting-on-stdin': input,
  'waiting-on-pipe': pipe,
  'waiting-for-lock': lock,
  spinning,
  polling,
  'leaking-descriptors': descriptors,
  'flooding-output': flooding,
  stopped: (figures) => `it is stopped and waits to be continued${since(figures)}${process(figures)}`,
  'zombie-children': zombies,
  'disk-wait': (figures) =>
    `it waits for a disk or a network file system${since(figures)}${inBrackets(textOf(figures, 'place'))}${process(figures)}`,
  'deleted-folder': (figures) => `its working folder is gone${inBrackets(textOf(figures, 'folder'))}`,
  'long-connection': connection,
  'memory-pressure': memory,
  'stale-sandbox-proxy': (figures) => `it is the proxy of a sandbox whose session has ended${process(figures)}`,
};

/** Describes what is visibly wrong with a job, as a sentence without a full stop. */
export const sayDiagnosis = ({ code, figures }: Diagnosis): string =>
  isDiagnosisCode(code)
    ? sentences[code](figures)
    : `something is visibly wrong with it${inBrackets(visibleText(code))}`;

/** True for the code of a known diagnosis; records of another version may hold others. */
export const isDiagnosisCode = (code: string): code is Diagnosis['code'] => Object.hasOwn(sentences, code);
