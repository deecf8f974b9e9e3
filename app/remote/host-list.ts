/** Name of this machine where a host is named. */
export const localHost = 'local';

/** A user of ssh with its @. Windows domains also hold an @. */
const user = String.raw`(?:[A-Za-z0-9_][\w.+@-]*@)?`;
/** A name, an alias, an IPv4 address; or an IPv6 address in brackets, optionally with a zone. */
const machine = String.raw`(?:[A-Za-z0-9_][\w.:-]*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\])`;

const wanted = new RegExp(`^${user}${machine}$`, 'u');

/**
 * True for a name that is safe to pass to ssh: an alias of the user's configuration, or
 * `user@host`. It is one argument after `--`; still neither it nor the part after the @ may begin
 * like an option (that part becomes an argument of the user's ProxyCommand), nor hold shell
 * metacharacters. ssh(1), ssh_config(5) TOKENS, CVE-2023-51385. Avoids zod: every command checks
 * its arguments with this, and loading zod adds half of the remaining start time.
 */
export const isHostName = (name: string): boolean => name.length <= 255 && name !== localHost && wanted.test(name);

/** Machines from a list, each once, in its order; and the lines that name none. */
export interface HostList {
  readonly hosts: readonly string[];
  /** With their numbers, counted from 1. */
  readonly bad: readonly { readonly line: number; readonly text: string }[];
}

/** Reads a list of machines: one a line, blank lines and what follows a `#` left out. */
export const parseHostList = (text: string): HostList => {
  const hosts = new Set<string>();
  const bad: { line: number; text: string }[] = [];
  for (const [at, whole] of text.split(/\r?\n/u).entries()) {
    const name = whole.replace(/#.*$/u, '').trim();
    if (name === '') continue;
    if (name === localHost || isHostName(name)) hosts.add(name);
    else bad.push({ line: at + 1, text: name });
  }
  return { hosts: [...hosts], bad };
};
