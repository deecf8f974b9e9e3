import type { Call, Tool, Turn } from './step.ts';

/** One event of a stream; `name` where the form has named events. */
export type StreamEvent = readonly [name: string | null, data: object | '[DONE]'];

/** An answer as a stream of events, and whole. */
export interface Answer {
  readonly events: readonly StreamEvent[];
  readonly whole: object;
}

/** A question to a model, in whichever form it came. */
export interface Question {
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
}

/** A body of JSON, or an object in one. */
export type Fields = Readonly<Record<string, unknown>>;

/** The form of one vendor's questions and answers. */
export interface Form {
  readonly path: RegExp;
  readonly read: (body: Fields) => Question;
  /** The number differs for each answer: answers with one id are one to Claude Code. */
  readonly answer: (what: string | Call, unique: string) => Answer;
}

/** Returns a list of objects, or an empty one where there is none. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Returns a tool as it stands in a question. */
export const toolOf = (name: unknown, schema: unknown): Tool => ({
  name: typeof name === 'string' ? name : '',
  schema: schema ?? {},
});

const speakers: Readonly<Record<string, Turn['by']>> = { user: 'user', assistant: 'model', model: 'model' };

/** Returns the turns of messages that name a role. */
export const turnsOf = (messages: unknown): readonly Turn[] =>
  listOf(messages).map((message) => ({
    by: speakers[String(message['role'])] ?? 'other',
    said: JSON.stringify(message),
  }));
