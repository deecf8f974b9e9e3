import { dirname, join } from 'node:path';
import type { AgentSession } from '../../../app/model/session.ts';
import type { AgentFiles } from '../../os/files/small-file.ts';

const maxProjects = 4096;
/** Of sessions whose transcript was found. */
const maxRemembered = 1024;

/** Finds transcripts, `projects/<project>/<session>.jsonl` beside the registry (2.0.28–2.1.329). */
export class ClaudeTranscripts {
  readonly #files: AgentFiles;
  readonly #found = new Set<string>();

  constructor(files: AgentFiles) {
    this.#files = files;
  }

  /** True when one of these configuration folders has the transcript of the session. */
  has(configurationFolders: readonly string[], session: string): boolean {
    if (this.#found.has(session)) return true;
    const isThere = configurationFolders.some((configuration) => {
      const folder = join(configuration, 'projects');
      const projects = this.#files.names(folder, maxProjects);
      return (
        projects.state === 'read' &&
        projects.value.some((project) => this.#files.stamp(join(folder, project, `${session}.jsonl`)).state === 'read')
      );
    });
    if (isThere) {
      if (this.#found.size >= maxRemembered) this.#found.clear();
      this.#found.add(session);
    }
    return isThere;
  }
}

/**
 * Returns the path of a session's transcript beside its registry entry
 * (`<folder>/sessions/<pid>.json`); null where the session is known from elsewhere.
 */
export const claudeCodeTranscript = ({ id, project, source }: AgentSession): string | null =>
  id === null || project === null || !source.endsWith('.json')
    ? null
    : join(dirname(dirname(source)), 'projects', project.replaceAll(/[^A-Za-z0-9]/gu, '-'), `${id}.jsonl`);
