import type { z } from 'zod';
import { appQuestions, placeSchema } from './app-questions.ts';
import { differenceSchema } from './difference/difference-schema.ts';
import { filesQuestions } from './files-questions.ts';
import { historyQuestions } from './history-questions.ts';
import { jobQuestions } from './job-questions.ts';
import { settingsQuestions } from './settings-questions.ts';
import { snapshotSchema } from './views/snapshot.ts';

/**
 * All questions and actions, with the schemas of their inputs and outputs. Three carriers use it:
 * Electron's channels, the loopback page and the command line. Anything else can't be asked.
 */
export const questions = {
  ...appQuestions,
  ...jobQuestions,
  ...settingsQuestions,
  ...historyQuestions,
  ...filesQuestions,
} as const;

/** Events that the main process sends to windows. */
export const events = {
  /** The whole snapshot; sent first, and again after a gap. */
  snapshot: snapshotSchema,
  difference: differenceSchema,
  /** Opens this place: a notification was clicked, or another window asked for it. */
  navigate: placeSchema,
} as const;

export type QuestionName = keyof typeof questions;

/** Input of a question before parsing; defaults may be missing. */
export type QuestionInput<Name extends QuestionName> = z.input<(typeof questions)[Name]['input']>;

/** Input that a handler gets: checked, with defaults. */
export type QuestionRequest<Name extends QuestionName> = z.output<(typeof questions)[Name]['input']>;

export type QuestionOutput<Name extends QuestionName> = z.output<(typeof questions)[Name]['output']>;

export type EventName = keyof typeof events;

export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>;

/** All names, for carriers that list their channels. */
export const questionNames = Object.keys(questions) as readonly QuestionName[];

/** True for the name of a question; takes untrusted text. */
export const isQuestionName = (name: unknown): name is QuestionName =>
  typeof name === 'string' && Object.hasOwn(questions, name);
