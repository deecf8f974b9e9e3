export const shortcut = {
  label: 'Shortcut for the popover',
  body: 'Opens and hides it, whatever window is in front.',
  off: 'None',
  taken: (keys: string) => `${keys} doesn’t work: another program has it, or the system refuses it.`,
};
