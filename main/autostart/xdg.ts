import { say } from '../../app/text/said/say.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { autostartEntryFile, desktopEntry } from './desktop-entry.ts';

/** Returns whether a desktop starts programs at login: its session sets one of these. */
export const hasDesktop = (environment: AutostartInput['environment']): boolean =>
  ['XDG_CURRENT_DESKTOP', 'DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (environment[name] ?? '') !== '');

/**
 * Returns an entry by which a desktop starts the supervisor at login: for Linux without systemd,
 * which has no timers. Desktops start their entries once, so it is the supervisor and not a pass.
 */
export const xdgPlan = (input: AutostartInput): AutostartPlan => ({
  kind: 'supervisor',
  name: say('an entry of the desktop'),
  files: [
    {
      path: autostartEntryFile(input, 'dev.curfew.watch'),
      text: desktopEntry({
        comment: 'Watches over what AI coding agents leave running',
        program: [...input.program, 'watch'],
        variables: input.placesEnvironment,
      }),
    },
  ],
  links: [],
  enable: [],
  disable: [],
  check: null,
});
