import { words } from '../../../common/words.ts';
import { inEnglish } from '../../../../../app/text/say.ts';
import type { SnapshotJob } from '../../../../../app/contract/views/snapshot.ts';
import type { AgentView } from '../../../../../app/contract/views/agent-view.ts';
import { formatAge } from '../../../../../app/format/age.ts';
import { formatBytes } from '../../../../../app/format/bytes.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import { counted } from '../../../../../app/text/figures.ts';
import { sayWhose } from '../../../../../app/text/job.ts';
import { wrap } from '../../../common/table.ts';
import { agentOf, commandOf, hostOf, projectOf, type Row, startedMs } from './rows.ts';
import { stateWords, type Toned } from './words.ts';

/** A line of text; a heading is bold. */
export interface Line extends Toned {
  readonly heading: boolean;
}

const indent = '  ';

const wrapped = (text: string, width: number, lead: string): readonly Line[] =>
  wrap(visibleText(text), Math.max(8, width - lead.length)).map((line, at) => ({
    text: (at === 0 ? lead : ' '.repeat(lead.length)) + line,
    tone: 'quiet',
    heading: false,
  }));

const section = (title: string, texts: readonly string[], width: number): readonly Line[] =>
  texts.length === 0
    ? []
    : [
        { text: '', tone: 'quiet', heading: false },
        { text: title, tone: 'quiet', heading: true },
        ...texts.flatMap((text) => wrapped(text, width, `${indent}- `)),
      ];

interface Shown {
  readonly pid: number;
  readonly ppid: number;
  readonly text: string;
}

/** Processes as a tree: children under their parents, each a step to the right. */
const tree = (processes: readonly Shown[]): readonly string[] => {
  const pids = new Set(processes.map(({ pid }) => pid));
  const below = (parent: number, depth: number): readonly string[] =>
    processes
      .filter(({ ppid, pid }) => ppid === parent && pid !== parent)
      .flatMap((one) => [`${indent.repeat(depth)}${one.text}`, ...below(one.pid, depth + 1)]);
  return processes.filter(({ ppid }) => !pids.has(ppid)).flatMap((one) => [one.text, ...below(one.pid, 1)]);
};

const processLines = (texts: readonly string[], width: number): readonly Line[] => [
  { text: '', tone: 'quiet', heading: false },
  { text: 'Processes', tone: 'quiet', heading: true },
  ...texts.flatMap((text) => {
    const depth = text.length - text.trimStart().length;
    return wrapped(text.trimStart(), width, indent + ' '.repeat(Math.min(depth, 16)));
  }),
];

const jobLines = (job: SnapshotJob, width: number, nowMs: number): readonly Line[] => {
  const { holds } = job;
  const locks = holds.locks.map((lock) => `lock ${lock}`);
  const holding = [
    counted(job.members.length, 'process', 'processes'),
    formatBytes(holds.rssBytes),
    `${Math.round(holds.cpuPercent)} % of a core`,
    ...holds.ports.map((port) => `port ${port}`),
    ...locks,
  ];
  const files = [
    ...(job.project === null ? [] : [`project ${job.project}`]),
    ...(job.session === null ? [] : [`session ${job.session}`]),
    ...(job.output === null
      ? []
      : [`output ${job.output}${holds.outputBytes === null ? '' : `, ${formatBytes(holds.outputBytes)}`}`]),
    `job ${job.id}`,
  ];
  const processes = job.members.map(({ pid, ppid, state, args, rssBytes, startedAt }) => {
    const age = formatAge((nowMs - Date.parse(startedAt)) / 1000);
    return { pid, ppid, text: `${pid}  ${state}  ${age}  ${formatBytes(rssBytes)}  ${args}` };
  });
  return [
    ...section(
      'Protected',
      job.vetoes.map(({ text, pid }) => `${text} (process ${pid})`),
      width,
    ),
    ...section(
      'Why',
      job.verdict.reasons.map(({ text }) => text),
      width,
    ),
    ...section('Holds', [holding.join(', ')], width),
    ...section('Why it is listed', [job.ownerEvidence, ...job.evidence.map(({ text }) => text)], width),
    ...section('Where', files, width),
    ...processLines(tree(processes), width),
  ];
};

const agentLines = (agent: AgentView, width: number, nowMs: number): readonly Line[] => [
  ...section('Why', [agent.text, ...(agent.refusal === null ? [] : [agent.refusal])], width),
  ...section(
    'Where',
    [
      `process ${agent.pid}`,
      ...(agent.project === null ? [] : [`project ${agent.project}`]),
      ...(agent.session === null ? [] : [`session ${agent.session}`]),
      ...(agent.lastWriteAt === null
        ? []
        : [`transcript last written ${formatAge((nowMs - Date.parse(agent.lastWriteAt)) / 1000)} ago`]),
      ...(agent.endWith === null ? [] : [`end it with: ${agent.endWith}`]),
    ],
    width,
  ),
  ...processLines(
    tree(
      agent.tree.map(({ pid, ppid, args, rssBytes, own }) => ({
        pid,
        ppid,
        text: `${pid}  ${formatBytes(rssBytes)}  ${own ? '' : '(left over then) '}${args}`,
      })),
    ),
    width,
  ),
];

/** Returns everything that is known of a row, as lines of at most this width. */
export const detailLines = (row: Row, promises: boolean, nowMs: number, width: number): readonly Line[] => {
  const { text, tone } = stateWords(row, promises, nowMs, true);
  const project = projectOf(row);
  const host = hostOf(row);
  const whose = sayWhose({ agent: agentOf(row), project, host, ageSeconds: (nowMs - startedMs(row)) / 1000 });
  return [
    ...wrapped(commandOf(row), width, '').map((line) => ({ ...line, heading: true })),
    { text, tone, heading: false },
    ...wrapped(words(whose), width, ''),
    ...(row.kind === 'job' ? jobLines(row.job, width, nowMs) : []),
    ...(row.kind === 'agent' ? agentLines(row.agent, width, nowMs) : []),
    ...(row.kind === 'ended' && row.reaping.problem !== null
      ? section('Outcome', [inEnglish(row.reaping.problem)], width)
      : []),
  ];
};
