import { messageOf } from '../../../app/format/error-message.ts';
import { type ToolCall, type WorkerAnswer, workerAnswerSchema } from '../../../app/mcp/exchange.ts';
import type { ToolName } from '../../../app/mcp/tools.ts';
import type { Exchange } from '../../os/programs/exchange.ts';
import { callOption } from './call-option.ts';

const second = 1000;

/** For a look on a busy machine; and for the longest grace with what follows it. Milliseconds. */
const timeoutMs = (tool: ToolName): number => (tool === 'end_my_job' ? 400 : 60) * second;

const maxBytes = 1024 * 1024;

/**
 * What the worker gets of the environment: where Curfew and the agents keep their things, and how
 * to find programs. None of an agent's marks: with these it would look like a part of the session.
 */
const passed = [
  'CURFEW_HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SystemRoot',
  'CURFEW_DEBUG',
  'NODE_DISABLE_COMPILE_CACHE',
] as const;

const environment = (): Record<string, string> =>
  Object.fromEntries(
    passed.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const read = ({ answer, end }: Exchange): WorkerAnswer => {
  if (end.kind === 'aborted') return { ok: false, text: 'The call was cancelled.' };
  if (end.kind === 'too-long')
    return { ok: false, text: 'There was no answer in time; `curfew history` tells whether something was ended.' };
  try {
    return workerAnswerSchema().parse(JSON.parse(answer.toString('utf8')));
  } catch (error) {
    return { ok: false, text: `Curfew gave no answer (${messageOf(error)}); its standard error says why.` };
  }
};

/**
 * Has one call done by a process of its own, in a kernel session of its own: what is begun there is
 * carried through when the agent ends. Never rejects for what goes wrong there.
 */
export const askWorker = async (call: ToolCall, signal: AbortSignal | undefined): Promise<WorkerAnswer> => {
  const { exchange } = await import('../../os/programs/exchange.ts');
  const done = await exchange({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'mcp', callOption],
    input: Buffer.from(JSON.stringify(call)),
    environment: environment(),
    timeoutMs: timeoutMs(call.tool),
    maxBytes,
    ...(signal === undefined ? {} : { signal }),
  });
  if (done.said !== '') process.stderr.write(done.said);
  return read(done);
};
