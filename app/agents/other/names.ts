/** The lesser known agents, together `other`. The rule that matched says which (`qwen-marker`). */
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
