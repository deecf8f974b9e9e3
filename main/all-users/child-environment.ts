import type { Account } from '../../app/all-users/account.ts';

const path = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/**
 * Returns the whole environment of a user's child: that of a login without any file of the user,
 * and nothing of this process. A `CURFEW_HOME` or `NODE_OPTIONS` of root never reaches it. The
 * child finds its runtime folder itself: there the user may mount what refuses root, or lets it
 * wait for ever.
 */
export const childEnvironment = ({ name, home, shell }: Account): Readonly<Record<string, string>> => ({
  HOME: home,
  USER: name,
  LOGNAME: name,
  SHELL: shell === '' ? '/bin/sh' : shell,
  PATH: path,
  LANG: 'C.UTF-8',
});
