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

/**
 * Slices in which an orchestrator keeps its agents and all that these start, and which it clears
 * itself. KiroCrew starts each session in a scope of its own below (`systemd-run --user --scope
 * --slice=kirocrew-agents.slice`, with a token of the instance behind "agents"), and reaps scopes
 * without a session. https://github.com/kirodotdev/KiroCrew
 */
const orchestratorSlice = /^kirocrew-agents(?:-[\w-]+)?\.slice$/u;

/** The path of the slice in which an orchestrator keeps a process; null for none, or unread. */
export const orchestratorSliceOf = (cgroups: ControlGroups | null): string | null =>
  unitPath(cgroups, (name) => orchestratorSlice.test(name));
