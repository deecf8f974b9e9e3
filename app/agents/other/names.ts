/**
 * The lesser known agents, which are `other` together. The rule that recognised one says which it
 * was (`qwen-marker`).
 */
export const otherAgentNames = {
  amp: 'Amp',
  goose: 'Goose',
  qwen: 'Qwen Code',
  crush: 'Crush',
  augment: 'Auggie',
  cline: 'Cline',
  roo: 'Roo Code',
  kilo: 'Kilo Code',
  iflow: 'iFlow CLI',
  pi: 'pi',
  antigravity: 'Antigravity',
  trae: 'Trae',
  junie: 'Junie',
  openclaw: 'OpenClaw',
  kiro: 'Kiro CLI',
  droid: 'Droid',
  continue: 'Continue',
} as const;

/** One of the lesser known agents. */
export type OtherAgentKey = keyof typeof otherAgentNames;
