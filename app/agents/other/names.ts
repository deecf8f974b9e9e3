/**
 * The lesser known agents, which are `other` together. The rule that recognised one says which it
 * was (`qwen-marker`).
 */
export const otherAgentNames = {
  amp: 'Amp',
  goose: 'Goose',
  augment: 'Auggie',
  roo: 'Roo Code',
  kilo: 'Kilo Code',
  iflow: 'iFlow CLI',
  antigravity: 'Antigravity',
  trae: 'Trae',
  junie: 'Junie',
  kiro: 'Kiro CLI',
  droid: 'Droid',
} as const;

export type OtherAgentKey = keyof typeof otherAgentNames;
