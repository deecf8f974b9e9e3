import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const script = join(import.meta.dirname, '../../build/scripts/minimal-root.sh');

/** What a command in the root said. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A minimal Debian that keeps what commands do to it, each in namespaces of its own. */
export class MinimalRoot {
  // Not /tmp, which may be in memory or itself an overlay.
  readonly #run = mkdtempSync('/var/tmp/curfew-deb-run-');

  /** Copies files of this machine into /root. */
  give(files: readonly string[]): void {
    const folder = join(this.#run, 'changes/root');
    mkdirSync(folder, { recursive: true });
    for (const file of files) copyFileSync(file, join(folder, basename(file)));
  }

  /** Runs a script of bash as root. */
  bash(text: string): Said {
    const { status, stdout, stderr, error } = spawnSync(
      'bash',
      [script, this.#run, 'bash', '-euo', 'pipefail', '-c', text],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    if (error !== undefined) throw error;
    return { status, stdout, stderr };
  }

  /** The same; throws with what it said if it fails. Returns its standard output. */
  must(text: string): string {
    const { status, stdout, stderr } = this.bash(text);
    if (status !== 0) throw new Error(`status ${status} of: ${text}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** The same as the user alice, in a login shell. */
  alice(text: string): Said {
    return this.bash(`su - alice -s /bin/bash -c ${quoted(text)}`);
  }

  remove(): void {
    rmSync(this.#run, { recursive: true, force: true });
  }
}

/** Returns a text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
