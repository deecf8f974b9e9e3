import { redactCommand } from '../format/secrets/redact.ts';

/** What says of a report from whom and from where it comes. */
export interface Identity {
  /** Home folders of the user, absolute, in every form in which they are named. */
  readonly homes: readonly string[];
  /** Names of the user: the login's, and the one of `git config user.name` where it is known. */
  readonly users: readonly string[];
  /** Names of this machine and of those that the settings name. */
  readonly hosts: readonly string[];
}

/**
 * Login names that say nothing of a person and that are words of many commands: they stay, except
 * as the name of a home folder.
 */
const usualNames: ReadonlySet<string> = new Set(
  'root user admin administrator node dev developer ubuntu debian vscode codespace runner ec2-user docker git app build ci test claude codex agent me pi'.split(
    ' ',
  ),
);

/** Names of machines that say nothing. */
const usualHosts: ReadonlySet<string> = new Set(['localhost', 'local', 'host', 'debian', 'ubuntu']);

/** Shorter names stand in too many words; as the name of a home folder they are replaced, too. */
const minName = 3;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** A name that is no part of a longer word; `_`, `-` and `.` end one, as in `-home-alice-shop`. */
const wordPattern = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'giu');

const byLength = (names: readonly string[]): readonly string[] =>
  [...new Set(names.filter((name) => name !== ''))].toSorted((one, other) => other.length - one.length);

/** Home folders of any user, in the forms of Linux, macOS and Windows, also in a file URL. */
const anyHome =
  /(?<start>(?:\/(?:home|Users)\/|[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}))(?<name>(?!USER\b|Shared\b|Public\b)[^\s/\\:"'`;,)]+)/gu;
const mail = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}(?![\w-])/gu;
const ipv4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]|\.\d)/gu;
const ipv6 = /(?<![\w:.])[\dA-Fa-f:]{3,39}(?![\w:])/gu;
const macAddress = /(?<![\w:])(?:[\dA-Fa-f]{2}:){5}[\dA-Fa-f]{2}(?![\w:])/gu;

/** Addresses that every machine has. */
const isUsualAddress = (address: string): boolean =>
  /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/u.test(address) || address === '::1' || address === '::';

/**
 * True for an address of eight groups, or of fewer with `::` and one that looks like a prefix: a
 * time of day is none, nor is `a::b` of a program.
 */
const isIpv6 = (text: string): boolean => {
  const groups = text.split(':');
  if (groups.length > 9) return false;
  return text.includes('::') ? groups.some((group) => group.length > 2) : groups.length === 8;
};

/** Names each different one by a number, so that a reader still sees which are the same. */
const numbered = (stem: string): ((found: string) => string) => {
  const known = new Map<string, string>();
  return (found) => {
    const key = found.toLowerCase();
    const name = known.get(key) ?? `${stem}-${known.size + 1}`;
    known.set(key, name);
    return name;
  };
};

/**
 * Returns a function that takes from texts who and where they come from: home folders become `~`,
 * user and host names USER and HOST-1, addresses ADDRESS-1, and every line goes through the
 * redaction of secrets once more. What is the same stays the same through all texts. It hides in
 * doubt; what it can't know is the name of a project, of a colleague, or of a customer.
 */
export const anonymiser = (identity: Identity): ((text: string) => string) => {
  const homes = byLength(identity.homes).filter((home) => home.length > 1);
  const users = byLength(identity.users).filter(
    (name) => name.length >= minName && !usualNames.has(name.toLowerCase()),
  );
  const hosts = byLength(identity.hosts.flatMap((name) => [name, name.split('.')[0] ?? ''])).filter(
    (name) => name.length >= minName && !usualHosts.has(name.toLowerCase()),
  );
  const [hostName, addressName, mailName] = [numbered('HOST'), numbered('ADDRESS'), numbered('MAIL')];
  const shortOf = (host: string): string => host.split('.')[0] ?? host;
  const keepsUsual = (found: string): string => (isUsualAddress(found) ? found : addressName(found));
  const steps: readonly (readonly [RegExp, (found: string, start: string) => string])[] = [
    ...homes.map((home) => [new RegExp(`${escaped(home)}(?![\\p{L}\\p{N}_.-])`, 'gu'), () => '~'] as const),
    // As agents write it into the name of a folder: `-home-alice-shop`.
    ...homes.map((home) => {
      const folder = home.replaceAll(/[^A-Za-z\d]/gu, '-');
      return [new RegExp(`${escaped(folder)}(?![A-Za-z\\d])`, 'gu'), () => '-HOME'] as const;
    }),
    [anyHome, (_found, start) => `${start}USER`],
    [mail, mailName],
    ...hosts.map((host) => [wordPattern(host), () => hostName(shortOf(host))] as const),
    ...users.map((user) => [wordPattern(user), () => 'USER'] as const),
    [macAddress, addressName],
    [ipv4, keepsUsual],
    [ipv6, (found) => (isIpv6(found) ? keepsUsual(found) : found)],
  ];
  return (text) =>
    text
      .split('\n')
      .map((line) =>
        steps.reduce<string>((left, [pattern, shown]) => left.replace(pattern, shown), redactCommand(line)),
      )
      .join('\n');
};
