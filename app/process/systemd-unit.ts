import type { ControlGroups } from './facts.ts';

/** Where systemd has its units: the unified hierarchy, or its named one of version 1. */
const systemdHierarchies = ['', 'name=systemd'];

/** Units that hold everything of a user, so tell nothing. systemd.special(7), pam_systemd(8) */
const holdsEverything = /^(?:user@\d+\.service|init\.scope|session-[^/]+\.scope)$/u;

/** A desktop's program, or a scope: what users and agents run programs in. Others have a veto. */
const runsPrograms = /^(?:app-.+@.+\.service|.+\.scope)$/u;

const unitIn = (path: string): string | null => {
  const parts = path.split('/').filter((part) => part !== '');
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at] ?? '';
    if (holdsEverything.test(part)) return null;
    if (part.endsWith('.service') || part.endsWith('.scope'))
      return runsPrograms.test(part) ? `/${parts.slice(0, at + 1).join('/')}` : null;
  }
  return null;
};

/**
 * Returns the path of the scope, or of the desktop's application service, in which systemd keeps a
 * process: the innermost unit. null for none, for a login session, for the user's manager itself,
 * and when nothing could be read. https://systemd.io/DESKTOP_ENVIRONMENTS/
 */
export const unitOf = (cgroups: ControlGroups | null): string | null => {
  if (cgroups === null) return null;
  for (const hierarchy of systemdHierarchies) {
    const unit = unitIn(cgroups[hierarchy] ?? '');
    if (unit !== null) return unit;
  }
  return null;
};
