import type { Diagnosis } from '../jobs/job.ts';
import { formatAge } from './age.ts';
import { visibleText } from './visible.ts';
import { formatBytes } from './bytes.ts';
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

const sentences: Readonly<Record<Diagnosis['code'], (figures: Figures) => string>> = {
  'waiting-on-stdin': (figures) => `it waits for input that nobody will type${since(figures)}${process(figures)}`,
  spinning: (figures) => `it has used ${percent(figures)}${since(figures)} and produced nothing${process(figures)}`,
  polling: (figures) => `it asks again and again for something that does not come${since(figures)}${process(figures)}`,
  'leaking-descriptors': (figures) => {
    const fds = numberOf(figures, 'fds');
    return `it opens more and more files${fds === null ? '' : `, ${counted(fds, 'descriptor')} by now`}${process(figures)}`;
  },
  'flooding-output': (figures) => {
    const bytes = numberOf(figures, 'bytes') ?? numberOf(figures, 'outputBytes');
    return `its output grows without end${bytes === null ? '' : `, ${formatBytes(bytes)} by now`}`;
  },
  stopped: (figures) => `it is stopped and waits to be continued${since(figures)}${process(figures)}`,
  'zombie-children': (figures) => {
    const count = numberOf(figures, 'count');
    const children = count === null ? 'children have' : counted(count, 'child has', 'children have');
    return `${children} ended without being waited for${process(figures)}`;
  },
  'disk-wait': (figures) => `it waits for a disk or a network file system${since(figures)}${process(figures)}`,
  'deleted-folder': (figures) => `its working folder is gone${inBrackets(textOf(figures, 'folder'))}`,
  'long-connection': (figures) => {
    const to = textOf(figures, 'address') || textOf(figures, 'remote');
    return `it holds a connection open${to === '' ? '' : ` to ${to}`}${since(figures)}`;
  },
  'stale-sandbox-proxy': (figures) => `it is the proxy of a sandbox whose session has ended${process(figures)}`,
};

/** What is visibly wrong with a job, as a sentence without a full stop. */
export const sayDiagnosis = ({ code, figures }: Diagnosis): string =>
  isDiagnosisCode(code)
    ? sentences[code](figures)
    : `something is visibly wrong with it${inBrackets(visibleText(code))}`;

/** True for a text that is a diagnosis' code: records of another version may hold others. */
export const isDiagnosisCode = (code: string): code is Diagnosis['code'] => Object.hasOwn(sentences, code);
