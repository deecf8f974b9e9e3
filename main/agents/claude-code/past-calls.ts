import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import type { PastCall } from '../../../app/left-open/container.ts';
import { fileTail } from '../../output/output-file.ts';
import type { PastCallsAsked } from '../common/past-calls.ts';
import { filesHere, parseJson } from '../common/small-file.ts';

const maxProjects = 4_096;
const maxTranscripts = 4_096;
/** Of one transcript, and of all that one search reads. */
const maxBytes = { file: 64 * 1024 * 1024, all: 256 * 1024 * 1024 };

/**
 * The lines of a transcript that matter (2.0.28 to 2.1.329, observed): a tool call, and its result
 * in the line of a user.
 */
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

type Line = z.infer<ReturnType<typeof lineSchema>>;

const lineIn = (text: string): Line | null => {
  const parsed = lineSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
};

const callsIn = (transcript: string, named: readonly string[]): readonly PastCall[] => {
  const lines = transcript.split('\n');
  const results = lines.filter((one) => one.includes('"tool_result"') && named.some((name) => one.includes(name)));
  return results.flatMap((text) => {
    const result = lineIn(text);
    const call = result?.message.content.find(({ type }) => type === 'tool_result')?.tool_use_id ?? null;
    if (result === null || call === null) return [];
    const asked = lines.find((one) => one.includes('"tool_use"') && one.includes(`"${call}"`));
    const line = asked === undefined ? null : lineIn(asked);
    const command = line?.message.content.find(({ type, id }) => type === 'tool_use' && id === call)?.input?.command;
    const [fromMs, toMs] = [Date.parse(line?.timestamp ?? ''), Date.parse(result.timestamp)];
    if (command === undefined || Number.isNaN(fromMs) || Number.isNaN(toMs)) return [];
    const output = [result.message.content, result.toolUseResult].map((one) => JSON.stringify(one ?? '')).join(' ');
    return [
      { session: result.sessionId, project: result.cwd ?? null, command, fromMs, toMs, output: unescaped(output) },
    ];
  });
};

/** The ends of lines and of strings, so that a word stands for itself. */
const unescaped = (json: string): string => json.replaceAll(/\\[nrt]/gu, ' ').replaceAll('"', ' ');

/**
 * Returns the tool calls of Claude Code whose output names one of these texts, from transcripts
 * that were written since that moment. Reads at most 256 MB; what is not read says nothing.
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
      if (left <= 0 || (filesHere.changedMs(path) ?? 0) < atMs) return [];
      const text = fileTail(path, uid, Math.min(maxBytes.file, left)) ?? '';
      left -= text.length;
      return named.some((one) => text.includes(one)) ? callsIn(text, named) : [];
    });
  });
};
