import type { GuardRuleId } from '../../../app/guard/settings.ts';
import { settingRows } from '../../../app/settings/registry.ts';

/** The guard's part of the settings window. */
export const guard = {
  title: 'Guard',
  body: 'Checks a command before an agent runs it and explains in one sentence what would go wrong. It is off until you switch it on, stores nothing it reads, and says nothing when it isn’t sure.',
  enabled: 'Check commands before they run',
  enabledBody: 'On. Reinstall the hooks above so agents ask the guard.',
  disabledBody: 'Off. After switching it on, reinstall the hooks above.',
  modes: {
    off: 'Off',
    warn: 'Warn the agent',
    deny: 'Refuse the command',
    rewrite: 'Give it a time limit',
  },
  rules: {
    unjoinedLines: {
      label: 'Lines with nothing between them',
      body: settingRows['guard.unjoinedLines'].text,
    },
    noTimeout: {
      label: 'No time limit',
      body: settingRows['guard.noTimeout'].text,
    },
    neverEnds: {
      label: 'Never ends',
      body: settingRows['guard.neverEnds'].text,
    },
    swallowedCommand: {
      label: 'Swallowed command',
      body: settingRows['guard.swallowedCommand'].text,
    },
    waitsOnInput: {
      label: 'Waits for input',
      body: settingRows['guard.waitsOnInput'].text,
    },
    waitsForItself: {
      label: 'Waits for itself',
      body: settingRows['guard.waitsForItself'].text,
    },
    killsAgent: {
      label: 'Ends the agent',
      body: settingRows['guard.killsAgent'].text,
    },
    sudoInBackground: {
      label: 'Asks for a password',
      body: settingRows['guard.sudoInBackground'].text,
    },
  } satisfies Readonly<Record<GuardRuleId, { readonly label: string; readonly body: string }>>,
  timeoutSeconds: 'Time limit',
  timeoutSecondsBody:
    'Limit added by rules set to “Give it a time limit”. Agents that can’t take a changed command are warned instead.',
};
