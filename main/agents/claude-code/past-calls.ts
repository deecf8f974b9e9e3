import { parseJson } from '../../../app/format/json.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { outputOf } from '../../../app/agents/signatures.ts';
import { once } from '../../../app/format/once.ts';
import type { PastCall } from '../../../app/left-open/container.ts';
import { fileTail } from '../../output/output-file.ts';
import type { PastCallsAsked } from '../common/past-calls.ts';
import { changedMsOf, filesHere } from '../../os/files/small-file.ts';

const maxProjects = 4_096;
const maxTranscripts = 4_096;
/** Of one transcript, of all that one search reads, and of the output of a call. */
const maxBytes = { file: 64 * 1024 * 1024, all: 256 * 1024 * 1024, output: 256 * 1024 };
/** In this time a call in the background has started its containers, milliseconds. */
const maxStartMs = 5 * 60_000;
/** A call in the background is written down before it has done anything, milliseconds. */
const earlierMs = 10 * 60_000;

/** The lines of a transcript that matter (2.0.28 to 2.1.329, observed): calls and results. */
const lineSchema = once(() =>
  z.object({
    timestamp: z.string(),
    sessionId: z.string(),
    cwd: z.string().optional(),
    message: z.object({
      content: z.array(
        z.looseObject({
          type: z.string(),
          id: z.string().optional(),
          tool_use_id: z.string().optional(),
          input: z.looseObject({ command: z.string().optional() }).optional(),
          content: z.unknown().optional(),
        }),
      ),
    }),
    toolUseResult: z.unknown().optional(),
  }),
);

const backgroundSchema = once(() => z.object({ backgroundTaskId: z.string() }));

type Line = z.infer<ReturnType<typeof lineSchema>>;

const lineIn = (text: string): Line | null => {
  const parsed = lineSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
};

/** Which call a line is the result of, and the call itself; null where either is not understood. */
const calledIn = (lines: readonly string[], text: string): Called | null => {
  const result = lineIn(text);
  const call = result?.message.content.find(({ type }) => type === 'tool_result')?.tool_use_id ?? null;
  if (result === null || call === null) return null;
  const asked = lines.find((one) => one.includes('"tool_use"') && one.includes(`"${call}"`));
  const line = asked === undefined ? null : lineIn(asked);
  const command = line?.message.content.find(({ type, id }) => type === 'tool_use' && id === call)?.input?.command;
  const [fromMs, toMs] = [Date.parse(line?.timestamp ?? ''), Date.parse(result.timestamp)];
  if (command === undefined || Number.isNaN(fromMs) || Number.isNaN(toMs)) return null;
  return { result, call: { session: result.sessionId, project: result.cwd ?? null, command, fromMs, toMs } };
};

interface Called {
  readonly result: Line;
  readonly call: Omit<PastCall, 'output'>;
}

const textOf = ({ message, toolUseResult }: Line): string =>
  [message.content, toolUseResult].map((one) => JSON.stringify(one ?? '')).join(' ');

/** What a call in the background is told of its output (2.1.329, observed). */
const writtenTo = /Output is being written to: (?<path>\/[^\s"\\]+|[A-Za-z]:(?:\\{1,2}[^\s"\\]+)+)/u;

/** A background call's output, and its last write: of the agent's layout, that session and task. */
const laterOutput = ({ result }: Called, uid: number): { readonly text: string; readonly writtenMs: number } | null => {
  const path = (writtenTo.exec(textOf(result))?.groups?.['path'] ?? '').replaceAll('\\\\', '\\');
  const task = backgroundSchema().safeParse(result.toolUseResult).data?.backgroundTaskId;
  const match = outputOf(path)?.match;
  if (match === undefined || task === undefined || match.task !== task || match.session !== result.sessionId)
    return null;
  const [text, writtenMs] = [fileTail(path, uid, maxBytes.output), changedMsOf(path)];
  return text === null || writtenMs === null ? null : { text, writtenMs };
};

/** ` Container shop-db-1  Started`, after whatever draws its progress. */
const isOfCompose = (line: string, named: readonly string[]): boolean =>
  named.some((name) => line.includes(`${name} `)) && /\b(?:Created|Started)\s*$/u.test(line);

const callsIn = (transcript: string, named: readonly string[], uid: number): readonly PastCall[] => {
  const lines = transcript.split('\n');
  const names = (text: string): boolean => named.some((name) => text.includes(name));
  const results = lines.filter((one) => one.includes('"tool_result"'));
  const seen = results.filter(names).flatMap((text): readonly PastCall[] => {
    const found = calledIn(lines, text);
    return found === null ? [] : [{ ...found.call, output: unescaped(textOf(found.result)) }];
  });
  const later = results
    .filter((one) => one.includes('"backgroundTaskId"'))
    .flatMap((text): readonly PastCall[] => {
      const found = calledIn(lines, text);
      const output = found === null ? null : laterOutput(found, uid);
      if (found === null || output === null) return [];
      // It may go on for hours and print what others started: only its first minutes count, and
      // only what an engine prints of a container that it has just made.
      const made = output.text.split('\n').filter((line) => named.includes(line.trim()) || isOfCompose(line, named));
      const toMs = Math.min(output.writtenMs, found.call.fromMs + maxStartMs);
      return made.length === 0 ? [] : [{ ...found.call, toMs, output: made.join('\n') }];
    });
  return [...seen, ...later];
};

/** The ends of lines and of strings, so that each stands for itself. */
const unescaped = (json: string): string => json.replaceAll(/\\[nr]|"/gu, '\n').replaceAll('\\t', ' ');

/**
 * Returns the tool calls of Claude Code whose output names one of these texts, from transcripts
 * that were written since that moment, or shortly before. The output of a call in the background is
 * in a file of its own. Reads at most 256 MB of transcripts; what is not read says nothing.
 */
export const claudeCodePastCalls = ({ home, uid, atMs, named }: PastCallsAsked): readonly PastCall[] => {
  const folder = join(home, '.claude', 'projects');
  const projects = filesHere.names(folder, maxProjects);
  if (projects.state !== 'read') return [];
  let left = maxBytes.all;
  return projects.value.flatMap((project) => {
    const names = filesHere.names(join(folder, project), maxTranscripts);
    const files = names.state === 'read' ? names.value.filter((name) => name.endsWith('.jsonl')) : [];
    return files.flatMap((name) => {
      const path = join(folder, project, name);
      if (left <= 0 || (changedMsOf(path) ?? 0) < atMs - earlierMs) return [];
      const text = fileTail(path, uid, Math.min(maxBytes.file, left)) ?? '';
      left -= text.length;
      return text.includes('"backgroundTaskId"') || named.some((one) => text.includes(one))
        ? callsIn(text, named, uid)
        : [];
    });
  });
};
