/** Returns the last segment of a project's path; null stays null. */
export const projectName = (project: string | null): string | null =>
  project === null ? null : (project.split(/[/\\]/u).findLast((part) => part !== '') ?? project);
