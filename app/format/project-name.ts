/** The last part of a project's path, as people call it; null stays null. */
export const projectName = (project: string | null): string | null =>
  project === null ? null : (project.split(/[/\\]/u).findLast((part) => part !== '') ?? project);
