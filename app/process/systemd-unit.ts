import { unitPath } from './control-group-path.ts';
import type { ControlGroups } from './facts.ts';

/** Units that hold everything of a user, so tell nothing. systemd.special(7), pam_systemd(8) */
const holdsEverything = /^(?:user@\d+\.service|init\.scope|session-[^/]+\.scope)$/u;

/** A desktop's program, or a scope: what users and agents run programs in. Others have a veto. */
const runsPrograms = /^(?:app-.+@.+\.service|.+\.scope)$/u;

/**
 * Returns the path of the scope, or of the desktop's application service, in which systemd keeps a
 * process: the innermost unit. null for none, for a login session, for the user's manager itself,
 * and when nothing could be read. https://systemd.io/DESKTOP_ENVIRONMENTS/
 */
export const unitOf = (cgroups: ControlGroups | null): string | null =>
  unitPath(cgroups, (name) => {
    if (holdsEverything.test(name)) return null;
    return /\.(?:service|scope)$/u.test(name) && (runsPrograms.test(name) || null);
  });
