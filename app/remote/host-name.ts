/** What stands for this machine wherever a host is named. */
export const localHost = 'local';

/** A user of ssh, with the @ that ends it. Windows domains put an @ into it, too. */
const user = String.raw`(?:[A-Za-z0-9_][\w.+@-]*@)?`;
/** A name, an alias, an IPv4 address; or an IPv6 address in brackets, perhaps with a zone. */
const machine = String.raw`(?:[A-Za-z0-9_][\w.:-]*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\])`;

const wanted = new RegExp(`^${user}${machine}$`, 'u');

/**
 * True for a name that may be handed to ssh: an alias of the person's configuration, or `user@host`. It is one argument behind `--`; all the same neither
 * it nor the part behind the @ may begin like an option (that part becomes an argument of the person's ProxyCommand), nor hold what a shell takes apart.
 * ssh(1), ssh_config(5) TOKENS, CVE-2023-51385. Needs no zod: every command checks its arguments with this, and loading zod takes as long as a third of
 * the rest of a start.
 */
export const isHostName = (name: string): boolean => name.length <= 255 && name !== localHost && wanted.test(name);
