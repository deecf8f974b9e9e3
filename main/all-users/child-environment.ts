import { lstatSync } from 'node:fs';
import type { Account } from '../../app/all-users/account.ts';

const path = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/** The folder that pam_systemd makes; the user's service manager and bus listen in it. */
const runtimeFolder = (uid: number): string | null => {
  const folder = `/run/user/${uid}`;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid ? folder : null;
};

/**
 * Returns the whole environment of a user's child: that of a login without any file of the user,
 * and nothing of this process. A `CURFEW_HOME` or `NODE_OPTIONS` of root never reaches it.
 */
export const childEnvironment = ({ uid, name, home, shell }: Account): Readonly<Record<string, string>> => {
  const runtime = runtimeFolder(uid);
  return {
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell === '' ? '/bin/sh' : shell,
    PATH: path,
    LANG: 'C.UTF-8',
    ...(runtime === null ? {} : { XDG_RUNTIME_DIR: runtime }),
  };
};
