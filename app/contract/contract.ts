import type { z } from 'zod';
import { appQuestions, placeSchema } from './app-questions.ts';
import { differenceSchema } from './difference/difference-schema.ts';
import { historyQuestions } from './history-questions.ts';
import { jobQuestions } from './job-questions.ts';
import { settingsQuestions } from './settings-questions.ts';
import { snapshotSchema } from './views/snapshot.ts';

/**
 * Every question and action there is, with the schemas of what goes in and what comes out. Three carriers use it: Electron's
 * channels, the loopback page and the command line. What isn't here can't be asked.
 */
export const questions = {
  ...appQuestions,
  ...jobQuestions,
  ...settingsQuestions,
  ...historyQuestions,
} as const;

/** Everything that the main process tells windows by itself. */
export const events = {
  /** The whole; sent first, and again after a gap. */
  snapshot: snapshotSchema,
  difference: differenceSchema,
  /** Show this place: a notification was clicked, or another window asked for it. */
  navigate: placeSchema,
} as const;

/** The name of a question. */
export type QuestionName = keyof typeof questions;

/** What a question may be asked with (defaults may be left out). */
export type QuestionInput<Name extends QuestionName> = z.input<(typeof questions)[Name]['input']>;

/** What arrives at whoever answers it: checked, defaults filled in. */
export type QuestionRequest<Name extends QuestionName> = z.output<(typeof questions)[Name]['input']>;

/** What comes back. */
export type QuestionOutput<Name extends QuestionName> = z.output<(typeof questions)[Name]['output']>;

/** The name of an event. */
export type EventName = keyof typeof events;

/** What an event carries. */
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>;

/** All names, for carriers that have to list their channels. */
export const questionNames = Object.keys(questions) as readonly QuestionName[];

/** True for the name of a question, whatever a stranger sent. */
export const isQuestionName = (name: unknown): name is QuestionName =>
  typeof name === 'string' && Object.hasOwn(questions, name);
