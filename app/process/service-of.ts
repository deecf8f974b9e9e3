import { unitPath } from './control-group-path.ts';
import type { ControlGroups } from './facts.ts';

/** The manager of a user's units: all of the user's is inside, so it manages none directly. */
const userManager = /^user@\d+\.service$/u;
/**
 * An application that the desktop started, as a service instead of a scope (Plasma does): a
 * terminal or an editor, not a service that the user set up. `@autostart` is: it was arranged to
 * run. https://systemd.io/DESKTOP_ENVIRONMENTS/
 */
const desktopApplication = /^app-.+@(?!autostart\.service$).+\.service$/u;

/**
 * The path of the systemd service that manages a process, down to the service itself; null when
 * none does, or when nothing could be read. Scopes, slices, a user's manager and applications of
 * the desktop are no services in this sense.
 */
export const serviceOf = (cgroups: ControlGroups | null): string | null =>
  unitPath(cgroups, (name) => {
    if (name.endsWith('.scope') || userManager.test(name)) return null;
    return name.endsWith('.service') && (desktopApplication.test(name) ? null : true);
  });
