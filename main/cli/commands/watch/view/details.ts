import { sized } from '../../../../../app/text/form.ts';
import { say } from '../../../../../app/text/say.ts';
import { worded, statementWords, spoken, size, count, words } from '../../../common/words.ts';
import type { SnapshotJob } from '../../../../../app/contract/views/snapshot.ts';
import { formatAge } from '../../../../../app/format/age.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import { sayWhose } from '../../../../../app/text/job.ts';
import { wrap } from '../../../common/table.ts';
import {
  agentText,
  agentRefusal,
  type ShownAgent,
  agentOf,
  commandOf,
  hostOf,
  projectOf,
  type Row,
  startedMs,
} from './rows.ts';
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
  { text: worded('Processes'), tone: 'quiet', heading: true },
  ...texts.flatMap((text) => {
    const depth = text.length - text.trimStart().length;
    return wrapped(text.trimStart(), width, indent + ' '.repeat(Math.min(depth, 16)));
  }),
];

const jobLines = (job: SnapshotJob, width: number, nowMs: number): readonly Line[] => {
  const { holds } = job;
  const locks = holds.locks.map((path) => worded('lock {path}', { path }));
  const holding = [
    count(job.members.length, 'process'),
    size(holds.rssBytes),
    worded('{percent} % of a core', { percent: Math.round(holds.cpuPercent) }),
    ...holds.ports.map((port) => worded('port {port}', { port })),
    ...locks,
  ];
  const files = [
    ...(job.project === null ? [] : [worded('project {project}', { project: job.project })]),
    ...(job.session === null ? [] : [worded('session {id}', { id: job.session })]),
    ...(job.output === null
      ? []
      : [
          holds.outputBytes === null
            ? worded('output {path}', { path: job.output })
            : worded('output {path}, {size}', { path: job.output, size: sized(holds.outputBytes) }),
        ]),
    worded('job {id}', { id: job.id }),
  ];
  const processes = job.members.map(({ pid, ppid, state, args, rssBytes, startedAt }) => {
    const age = formatAge((nowMs - Date.parse(startedAt)) / 1000);
    return { pid, ppid, text: `${pid}  ${state}  ${age}  ${size(rssBytes)}  ${args}` };
  });
  return [
    ...section(
      worded('Protected'),
      job.vetoes.map((veto) => worded('{why} (process {pid})', { why: statementWords('veto', veto), pid: veto.pid })),
      width,
    ),
    ...section(
      worded('Why'),
      job.verdict.reasons.map((reason) => statementWords('reason', reason, job.ownerSaid)),
      width,
    ),
    ...section(worded('Holds'), [holding.join(', ')], width),
    ...section(
      worded('Why it is listed'),
      [
        spoken()?.voice.owner(job.owner, job.ownerEvidence, job.ownerSaid) ?? job.ownerEvidence,
        ...job.evidence.map((one) => statementWords('evidence', one)),
      ],
      width,
    ),
    ...section(worded('Where'), files, width),
    ...processLines(tree(processes), width),
  ];
};

const agentLines = (agent: ShownAgent, width: number, nowMs: number): readonly Line[] => [
  ...section(worded('Why'), [agentText(agent), ...(agent.refusal === null ? [] : [agentRefusal(agent)])], width),
  ...section(
    worded('Where'),
    [
      worded('process {pid}', { pid: agent.pid }),
      ...(agent.project === null ? [] : [worded('project {project}', { project: agent.project })]),
      ...(agent.session === null ? [] : [worded('session {id}', { id: agent.session })]),
      ...(agent.lastWriteAt === null
        ? []
        : [
            worded('transcript last written {when}', {
              when: say('{age} ago', { age: formatAge((nowMs - Date.parse(agent.lastWriteAt)) / 1000) }),
            }),
          ]),
      ...(agent.endWith === null ? [] : [worded('end it with: {command}', { command: agent.endWith })]),
    ],
    width,
  ),
  ...processLines(
    tree(
      agent.tree.map(({ pid, ppid, args, rssBytes, own }) => ({
        pid,
        ppid,
        text: `${pid}  ${size(rssBytes)}  ${own ? args : worded('(left over then) {command}', { command: args })}`,
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
      ? section(worded('Outcome'), [words(row.reaping.problem)], width)
      : []),
  ];
};
