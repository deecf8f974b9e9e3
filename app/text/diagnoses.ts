import type { Diagnosis } from '../model/job.ts';
import { formatAge } from '../format/age.ts';
import { byKey, type Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import { bracket, inBrackets, numberOf, processIn, textOf, type Figures } from './figures.ts';
import { type FormWith, listed, say, sayOf, sized } from './form.ts';
import { inEnglish } from './say.ts';

/** Says something of a figure; nothing without it. */
const ifAny =
  (name: string, said: (figure: number, figures: Figures) => Said) =>
  (figures: Figures): Said => {
    const figure = numberOf(figures, name);
    return figure === null ? '' : said(figure, figures);
  };

const bytes =
  (name: string, form: FormWith<'size'>) =>
  (figures: Figures): Said =>
    ifAny(name, (size) => say(form, { size: sized(size) }))(figures);

const lockHolder = (figures: Figures): Said => {
  const holder = numberOf(figures, 'holder');
  if (holder === null) return say('its holder can’t be seen');
  if (numberOf(figures, 'holderGone') !== null) return say('process {holder}, which it names, has ended', { holder });
  const text = textOf(figures, 'command');
  return say(
    numberOf(figures, 'own') === null
      ? 'process {holder} holds it{command}'
      : 'process {holder} of its own, which waits too holds it{command}',
    { holder, command: text === '' ? '' : `: ${text}` },
  );
};

const flooding = (figures: Figures): readonly Said[] => [
  bytes(numberOf(figures, 'bytes') === null ? 'outputBytes' : 'bytes', '{size} so far')(figures),
  bytes('bytesPerSecond', '{size} more each second')(figures),
  ifAny('freeBytes', (free) =>
    say('{size} are free there{enough}', {
      size: sized(free),
      enough: ifAny('fullInSeconds', (full) => say(', enough for {age}', { age: formatAge(full) }))(figures),
    }),
  )(figures),
];

const connection = (figures: Figures): readonly Said[] => {
  const [sent, received] = [numberOf(figures, 'sentBytes'), numberOf(figures, 'receivedBytes')];
  return [
    sent === null || received === null
      ? ''
      : say('; since it was opened it sent {sent} and received {received}', {
          sent: sized(sent),
          received: sized(received),
        }),
    figures['keptAlive'] === 0 ? say('; if the other side has gone, it will never notice') : '',
    bytes('unacknowledgedBytes', '; the other side has not confirmed {size}')(figures),
    bytes('unreadBytes', '; it has not read {size} that came')(figures),
  ];
};

const held = (figures: Figures): Said => {
  const rss = numberOf(figures, 'rssBytes');
  const swap = numberOf(figures, 'swapBytes') ?? 0;
  if (rss === null) return say('much of it');
  return swap > 0 ? say('{size}, and {swap} in swap', { size: sized(rss), swap: sized(swap) }) : sized(rss);
};

const writers: Readonly<Record<string, (figures: Figures) => Said>> = {
  itself: () => say('whose only writer is the reader itself'),
  job: (figures) =>
    say('that only processes waiting for it could write to{writers}', {
      writers: inBrackets(textOf(figures, 'writers')),
    }),
  unopened: () => say('that no process opens at its other end'),
};

const since = ifAny('seconds', (seconds) => say(' for {age}', { age: formatAge(seconds) }));

const parts = {
  since,
  process: processIn,
  probably: ifAny('doubt', () => say('probably ')),
  kind: (figures: Figures) => {
    const kind = textOf(figures, 'kind');
    return kind === '' ? '' : say(' (its standard input is {kind})', { kind: byKey(kind) });
  },
  writer: (figures: Figures) =>
    (writers[textOf(figures, 'writer')] ?? (() => say('that no process writes to')))(figures),
  file: bracket('file'),
  holder: lockHolder,
  condition: (figures: Figures) => {
    const condition = textOf(figures, 'condition');
    return condition === '' ? '' : `: ${condition}`;
  },
  itself: ifAny('itself', () => say('; its search matches its own shell, so it never ends')),
  used: (figures: Figures) => {
    const share = numberOf(figures, 'cpuPercent');
    return share === null ? say('the processor') : say('{share} % of a core', { share: Math.round(share) });
  },
  known: ifAny('fds', (count, figures) =>
    say(count === 1 ? ', {count} descriptor{limit} so far' : ', {count} descriptors{limit} so far', {
      count,
      limit: ifAny('limit', (limit) => say(' of {limit}', { limit }))(figures),
    }),
  ),
  grown: ifAny('more', (more, figures) => say(' ({more} more{since})', { more, since: since(figures) })),
  growth: (figures: Figures) =>
    listed(
      flooding(figures).map((part) => (part === '' ? '' : listed([', ', part], ''))),
      '',
    ),
  to: (figures: Figures) => {
    const to = textOf(figures, 'address') || textOf(figures, 'remote');
    return to === '' ? '' : say(' to {to}', { to });
  },
  long: ifAny('seconds', (seconds) =>
    say(' for at least {age}, and nothing came or went', { age: formatAge(seconds) }),
  ),
  details: (figures: Figures) => listed(connection(figures), ''),
  pressure: ifAny('pressurePercent', (pressure) =>
    say(' (processes waited for it during {pressure} % of the last minute)', { pressure }),
  ),
  held,
  taken: (figures: Figures) => sized(numberOf(figures, 'bytes') ?? 0),
  during: ifAny('seconds', (seconds) => say(' in {age}', { age: formatAge(seconds) })),
  count: (figures: Figures) => numberOf(figures, 'count') ?? '',
  collector: (figures: Figures) => {
    const [parent, pid] = [textOf(figures, 'parent'), numberOf(figures, 'pid')];
    return pid === null || parent === ''
      ? processIn(figures)
      : say(' (only {parent}, process {pid}, can collect them)', { parent, pid });
  },
  place: bracket('place'),
  folder: bracket('folder'),
};

type DiagnosisForm = FormWith<keyof typeof parts>;

const zombies = (figures: Figures): DiagnosisForm => {
  const count = numberOf(figures, 'count');
  if (count === null) return 'children have ended and were never collected by the parent{collector}';
  return count === 1
    ? '{count} child has ended and was never collected by the parent{collector}'
    : '{count} children have ended and were never collected by the parent{collector}';
};

const forms: Readonly<Record<Diagnosis['code'], DiagnosisForm | ((figures: Figures) => DiagnosisForm)>> = {
  'waiting-on-stdin': 'it waits for input that will not come{since}{kind}{process}',
  'waiting-on-pipe': 'it {probably}waits on a pipe {writer}{since}{process}',
  'waiting-for-lock': (figures) =>
    numberOf(figures, 'polls') === null
      ? 'it waits for a lock{since}{file}; {holder}'
      : 'it polls for a lock file{since}{file}; {holder}',
  spinning: (figures) =>
    numberOf(figures, 'doubt') === null
      ? 'it has used {used}{since} and produced nothing{process}'
      : 'it has used {used}{since} and read, wrote and touched nothing new, so it is probably a busy loop{process}',
  polling: 'it is {probably}polling{since} without success{condition}{process}{itself}',
  'leaking-descriptors': 'it keeps opening files without closing them{known}{grown}{process}',
  'flooding-output': 'its output is growing fast{growth}',
  stopped: 'it is stopped and waits to be continued{since}{process}',
  'zombie-children': zombies,
  'disk-wait': 'it waits for a disk or a network file system{since}{place}{process}',
  'deleted-folder': 'its working folder is gone{folder}',
  'long-connection': 'it holds a connection open{to}{long}{details}{process}',
  'memory-pressure': 'memory is scarce{pressure}, and it has {held}',
  'fast-growth': 'it took {taken} of memory{during}{process}',
  'stale-sandbox-proxy': 'it is the proxy of a sandbox whose session has ended{process}',
};

/** Describes what is visibly wrong with a job, as a sentence without a full stop. */
export const diagnosisSaid = ({ code, figures }: Diagnosis): Said => {
  if (!isDiagnosisCode(code))
    return say('something is visibly wrong with it{code}', { code: inBrackets(visibleText(code)) });
  return sayOf(forms[code], parts, figures);
};

/** Returns the same in English. */
export const sayDiagnosis = (diagnosis: Diagnosis): string => inEnglish(diagnosisSaid(diagnosis));

/** True for the code of a known diagnosis; records of another version may hold others. */
export const isDiagnosisCode = (code: string): code is Diagnosis['code'] => Object.hasOwn(forms, code);
