import { codeOf } from '../../../../app/format/error-message.ts';
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { closesOnExecIn } from '../proc/open-files.ts';

/** Standard input, output and error, which a child gets anew. */
const lastStandard = 2;

/**
 * Closes the files that another program left open in this process and that a child would inherit,
 * and returns how many: a secret that root's shell had open would be the user's. Node opens each
 * file of its own for itself alone, and keeps inherited ones from children only up to the first gap
 * above descriptor 15 (uv_disable_stdio_inheritance; 251 of a shell was seen in a child).
 */
export const closeInheritedFiles = (): number => {
  let closed = 0;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= lastStandard) continue;
    try {
      if (closesOnExecIn(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) !== false) continue;
      closeSync(fd);
      closed += 1;
    } catch (error) {
      // The listing itself had one open, which is closed by now.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return closed;
};
