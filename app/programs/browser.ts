import { nameIn, programNames, type Program } from './program.ts';

const browsers = programNames(
  `chrome google-chrome google-chrome-stable google-chrome-beta google-chrome-unstable chromium chromium-browser firefox firefox-bin
  firefox-esr Firefox librewolf LibreWolf waterfox zen zen-bin brave brave-browser Brave msedge microsoft-edge microsoft-edge-stable
  opera Opera vivaldi vivaldi-bin Vivaldi epiphany Safari Arc Orion thorium`,
  ['Google Chrome', 'Google Chrome Canary', 'Brave Browser', 'Microsoft Edge', 'Google Chrome Helper', 'iexplore'],
);

/** Options only programs give a browser; not a debugging port, which users open for their own. */
const automated =
  /^--?(?:headless(?:=.*)?|enable-automation|remote-debugging-pipe|test-type=webdriver|marionette|juggler(?:-pipe)?(?:=.*)?)$/u;
/** Profiles and installations that belong to automation. */
const automationPath =
  /(?:^|[/\\._=-])(?:ms-playwright|playwright|puppeteer|mcp-chrome|agent-browser|selenium|rust_mozprofile|scoped_dir|chrome-for-testing)/u;

/** Chromium writes the whole command line of its children into one argument. */
const optionsOf = (program: Program): readonly string[] =>
  program.argv.length === 1 ? program.title.split(' ').slice(1) : program.argv.slice(1);

const isAutomated = (program: Program): boolean => {
  const options = optionsOf(program);
  return (
    program.paths.some((path) => automationPath.test(path.split(' --')[0] ?? '')) ||
    options.some((option, index) => {
      if (automated.test(option)) return true;
      const isProfile = /^--(?:user-data-dir|profile)=/u.test(option) || /^--?profile$/u.test(options[index - 1] ?? '');
      return isProfile && automationPath.test(option);
    })
  );
};

/**
 * The name of a browser that the user uses; null for what is none, and for a browser that a program
 * drives unseen (headless, or with a profile of Playwright, Puppeteer and the like): those are
 * among the worst leftovers. A browser's own children are what it is, so for a browser its parents
 * are asked for.
 */
export const browserName = (program: Program, parents: () => readonly Program[] = () => []): string | null => {
  const name = nameIn(program, browsers);
  if (name === null || isAutomated(program)) return null;
  return parents().some((parent) => nameIn(parent, browsers) !== null && isAutomated(parent)) ? null : name;
};

const headlessNames = programNames('chrome-headless-shell headless_shell');
/** True for a browser that was started without a window. */
export const isUnseen = (program: Program): boolean =>
  nameIn(program, headlessNames) !== null ||
  (nameIn(program, browsers) !== null && optionsOf(program).some((option) => headlessOption.test(option)));

const headlessOption = /^--?headless(?:=.*)?$/u;
const temporaryFolder = /^--user-data-dir=(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\//u;
const drivenProfile = /^--user-data-dir=.*(?:ms-playwright|puppeteer|playwright)/u;

/**
 * True for a browser that has no window, a debugging port or pipe, and a profile in a temporary
 * folder or of Playwright or Puppeteer: a program started it for itself. All three are needed.
 */
export const isUnseenDriven = (program: Program): boolean => {
  const options = optionsOf(program);
  const some = (pattern: RegExp): boolean => options.some((option) => pattern.test(option));
  return (
    isUnseen(program) &&
    some(/^--remote-debugging-(?:port=\d+|pipe)$/u) &&
    (some(temporaryFolder) || some(drivenProfile))
  );
};
