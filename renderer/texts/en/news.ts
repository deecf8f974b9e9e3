/** What is told once: after an upgrade, and each week. */
export const news = {
  title: (version: string) => `Curfew is now ${version}. New:`,
  /** What users notice of this version, as in CHANGELOG.md; see docs/contributing/releases.md. */
  items: [
    'Choose several jobs (x) and end or keep them together.',
    'End all that a closed session left, from its job or from Sessions.',
    'The tray says how much memory the jobs hold that need a look.',
  ],
  showIncident: (command: string) => `Show ${command} in the history`,
  never: 'Never end',
};
