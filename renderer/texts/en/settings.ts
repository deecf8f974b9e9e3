import { limits } from './limits.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { guard } from './guard.ts';
import { pluralFor } from '../forms/plural.ts';

const plural = pluralFor('en');

/** What the settings window says. */
export const settings = {
  title: 'Settings',
  sections: {
    general: 'General',
    limits: 'Limits',
    agents: 'Agents',
    rules: 'Exemptions and rules',
    hosts: 'Hosts',
    notifications: 'Notifications',
    privacy: 'Privacy and data',
    about: 'About and diagnostics',
  },
  navigation: 'Sections',
  save: 'Save changes',
  discard: 'Discard',
  unsaved: 'Unsaved changes',
  default: (value: string) => `Default ${value}.`,
  noticeTitle: 'Some settings in the file are not valid',

  general: {
    intro: 'How Curfew starts, how it looks, and what it may do on its own.',
    autostart: 'Start at login',
    appearance: 'Appearance',
    appearances: { system: 'Match system', light: 'Light', dark: 'Dark' } satisfies Readonly<
      Record<Settings['appearance'], string>
    >,
    language: 'Language',
    languageBody: 'Windows and notifications. The command line is in English.',
    languages: { system: 'Match system', en: 'English', de: 'Deutsch' } satisfies Readonly<
      Record<Settings['language'], string>
    >,
    mode: 'What may Curfew do on its own?',
    enforce: 'Enforce',
    enforceBody:
      'End leftovers of closed sessions and overdue jobs. A warning comes first, unless the session itself said that it ends.',
    observe: 'Observe',
    observeBody: 'Only tell me. Buttons and “curfew reap” work all the same.',
    modeUnset: 'Not chosen yet: Curfew observes.',
  },

  limits,
  preview: {
    none: 'These limits would change no running job.',
    checking: 'Checking…',
    changes: (count: number) =>
      plural(count, {
        one: 'These limits would change # running job:',
        other: 'These limits would change # running jobs:',
      }),
    noJobs: 'No job is running.',
  },
  duration: {
    notDuration: 'Enter a duration like 90 s, 30 min, 4 h or 1 d.',
    tooShort: (low: string) => `At least ${low}.`,
    tooLong: (high: string) => `At most ${high}.`,
    aboveCap: (cap: string) => `Not longer than the hard cap of ${cap}.`,
  },

  agents: {
    intro:
      'Agents on this machine. A hook tells Curfew when a session begins and ends, so that it doesn’t have to guess.',
    found: (path: string) => `Found at ${path}`,
    none: 'No agent that takes hooks was found on this machine.',
    missing: 'Not on this machine',
    version: (version: string) => `version ${version}`,
    hooks: {
      installed: 'Hooks installed',
      partly: 'Hooks partly installed',
      absent: 'No hooks',
      unsupported: 'Hooks not supported',
    },
    install: 'Install hooks…',
    installName: (agent: string) => `Install hooks into ${agent}…`,
    uninstall: 'Remove hooks',
    uninstallName: (agent: string) => `Remove hooks from ${agent}`,
    dialogTitle: (agent: string) => `Install hooks into ${agent}`,
    dialogBody:
      'This is exactly what will be written. Nothing else in the file changes, and “Remove hooks” takes it out again.',
    dialogFile: 'File',
    dialogChanges: 'Changes to the file',
    added: 'added',
    removed: 'removed',
    confirm: 'Install hooks',
  },

  guard,

  rules: {
    exemptions: 'Exemptions',
    exemptionsBody: 'Jobs that are spared below the hard cap.',
    noExemptions: 'Nothing is exempt.',
    exemptProject: 'Project',
    exemptCommand: 'Command',
    exemptPort: 'Port',
    exemptNote: 'Note',
    exemptProjectHint: 'A folder; everything below it counts.',
    exemptCommandHint: 'The whole command; * stands for any text.',
    exemptPortHint: 'A port it listens on, 1 to 65535.',
    exemptNoteHint: 'For yourself.',
    addExemption: 'Add an exemption',
    add: 'Add',
    needOne: 'Enter at least a project, a command or a port.',
    badPort: 'A whole number from 1 to 65535.',
    notAbsolute: 'A folder begins with / or ~/.',
    removeExemption: (what: string) => `Remove the exemption for ${what}`,
    rules: 'Your own rules',
    rulesBody: 'Programs that an agent starts and Curfew doesn’t know yet.',
    noRules: 'No rules of your own.',
    ruleName: 'Name',
    ruleProgram: 'Program',
    ruleProgramHint: 'Name or whole path, compared as a whole.',
    ruleArguments: 'Arguments',
    ruleArgumentsHint: 'One pattern (RE2) a line; each must fit one argument from its beginning to its end.',
    ruleProject: 'Only in folder',
    addRule: 'Add a rule',
    removeRule: (name: string) => `Remove the rule ${name}`,
    badPattern: (line: string, why: string) => `“${line}” ${why}.`,
    needName: 'Give it a name.',
    needProgram: 'Name the program.',
    tester: 'Try it out',
    testerBody: 'Paste a command line and see what Curfew would make of it.',
    testerLabel: 'Command line',
    testerPlaceholder: "/bin/bash -c source … && eval 'npm run dev'",
    test: 'Test',
    matches: 'Matches',
    noMatches: 'No signature and no rule matches.',
    own: 'your rule',
    sparedBy: 'Spared by',
  },

  hosts: {
    intro: 'Other machines that Curfew watches over SSH. Use any name your SSH configuration knows, or user@host.',
    none: 'Only this machine is watched.',
    label: 'Host',
    hint: 'An alias of your SSH configuration, or user@host.',
    add: 'Add host',
    check: 'Check',
    checkName: (host: string) => `Check ${host}`,
    removeName: (host: string) => `Remove ${host}`,
    bad: 'Enter a name from your SSH configuration, or user@host. Names have no spaces and don’t start with a dash.',
    twice: 'This host is in the list already.',
  },

  notifications: {
    intro: 'Everything here also appears under Jobs and History.',
    overdue: 'A job needs a look',
    overdueBody: 'Once for each job and state; more than three at once become one.',
    beforeReap: 'Before a job is ended',
    beforeReapBody: (notice: string) => `${notice} ahead, with buttons to end it now or to keep it.`,
    beforeReapBodyOnPage: (notice: string) =>
      `${notice} ahead; a click leads to the buttons that end it now or keep it.`,
    afterReap: 'After a job was ended',
    afterReapBody: 'One quiet line with what was freed.',
    sound: 'With a sound',
    soundBody: 'For the two that announce something: a job needs a look, or is about to be ended.',
    onPage: 'In this browser',
    onPageBody: {
      default: 'Allow once; shown while a Curfew tab is open in the background.',
      granted: 'Allowed. Shown while a Curfew tab is open in the background.',
      denied:
        'Blocked by the browser. Allow notifications for this site in the site settings (icon left of the address).',
      missing: 'Not supported by this browser. The title of the tab counts the jobs that need a look.',
    },
    allow: 'Allow…',
  },

  privacy: {
    intro: 'Everything stays on this machine. Secrets in command lines are replaced before anything is written down.',
    historyDays: 'Keep the history for',
    days: 'days',
    historyHint: (low: number, high: number, standard: number) => `${low} to ${high} days. Default ${standard}.`,
    historyBad: (low: number, high: number) => `A whole number of days from ${low} to ${high}.`,
    export: 'Export the history',
    exportBody: 'All of it, as a file.',
    wipe: 'Delete the history…',
    wipeLabel: 'Delete the whole history',
    wipeTitle: 'Delete the whole history?',
    wipeBody: 'All incidents with their evidence are deleted for good. Settings and running jobs aren’t touched.',
    wipeConfirm: 'Delete all of it',
    wiped: (count: number) => plural(count, { one: '# incident deleted.', other: '# incidents deleted.' }),
  },

  about: {
    version: (version: string) => `Curfew ${version}`,
    doctor: 'Diagnostics',
    doctorBody: 'Checks that everything works.',
    run: 'Run diagnostics',
    runAgain: 'Run again',
    running: 'Checking…',
    states: { good: 'good', warning: 'warning', failure: 'failure', skipped: 'skipped' },
    copy: 'Copy report',
  },
};
