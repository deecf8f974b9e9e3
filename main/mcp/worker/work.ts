import { writeSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import { toolCallSchema, type WorkerAnswer } from '../../../app/mcp/exchange.ts';
import { readBounded } from '../../os/files/bounded-read.ts';
import { answerCall } from './answer-call.ts';

/** Of a call, bytes. The server takes no longer message. */
const maxCall = 16 * 1024 * 1024;

const warn = (text: string): void => {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // The server has ended; there is no other place to say it.
  }
};

const answered = async (): Promise<WorkerAnswer> => {
  try {
    const call = toolCallSchema().parse(JSON.parse(readBounded(0, maxCall)?.toString('utf8') ?? ''));
    return await answerCall(call, warn);
  } catch (error) {
    return { ok: false, text: messageOf(error) };
  }
};

/**
 * Does the call on standard input and writes its answer. What a call began is carried through also
 * where the server that asked has ended meanwhile.
 */
export const work = async (): Promise<void> => {
  const answer = await answered();
  const bytes = Buffer.from(JSON.stringify(answer));
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch (error) {
    warn(`curfew mcp: the answer was not taken: ${messageOf(error)}`);
  }
};
