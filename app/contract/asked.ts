import type { QuestionInput, QuestionName } from './contract.ts';

/** A question of the contract with its input, to be asked later. */
export type Asked = {
  readonly [Name in QuestionName]: { readonly name: Name; readonly input: QuestionInput<Name> };
}[QuestionName];

/** Seconds of the first Keep: in the menu, in a notification, on a card. */
export const keepSeconds = 1800;
