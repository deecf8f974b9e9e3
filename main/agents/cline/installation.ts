import { clineHooks as form } from '../../../app/agents/cline/answers.ts';
import { type AgentHookInstaller, type AgentPlaces, folderFrom } from '../hooks/form/agent-hooks.ts';

const folder = (places: AgentPlaces): string => folderFrom(places, 'CLINE_DIR', '.cline');

/** Cline calls files of these names, and of other endings beside them; links it passes over. */
const fileOf = (places: AgentPlaces, event: string): string => `${folder(places)}/hooks/${event}.sh`;

/**
 * How hooks get into Cline: a file for each event in its own folder of hooks, all with one text.
 * That in `~/Documents` is for its extension, too, and a project's is the project's.
 */
export const clineInstaller: AgentHookInstaller = {
  agent: 'cline',
  folder,
  file: (places) => fileOf(places, 'PostToolUse'),
  content: {
    kind: 'own',
    text: (run) =>
      [
        '#!/bin/sh',
        '# Written by "curfew hooks install", removed by "curfew hooks uninstall".',
        'case ${0##*/} in',
        ...form.events.map(([event, tells]) => `  ${event}.sh) ${run(tells).command} ;;`),
        'esac\n',
      ].join('\n'),
    others: (places) => form.events.map(([event]) => fileOf(places, event)),
  },
  onWindows: 'none',
  afterwards: null,
};
