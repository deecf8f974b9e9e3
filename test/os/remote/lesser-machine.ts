import type { FarMachine } from './far-machine.ts';

const folder = '/tmp/scene/lesser';
const edit = `${folder}/edit`;

/** A far shell without /proc, as on macOS and the BSDs. */
export const withoutProc = `unshare --mount --propagation private /bin/sh ${folder}/without-proc`;

/** A far shell with only a small busybox: grep has no -z, and find and getconf are missing. */
export const withoutNul = `/bin/sh ${folder}/without-nul`;

/** From now on a perl program edits its whole answers. */
export const editAnswers = ({ stage }: FarMachine, program: string): void => {
  stage.write(edit, program);
};

/** From now on nothing is edited. */
export const leaveAnswers = ({ stage }: FarMachine): void => {
  stage.write(edit, '');
};

/** Runs a shell, and edits its output. */
const edited = (shell: string): string => `${shell} | /usr/bin/perl -0777 -p ${edit}\n`;

/**
 * Sets up the tools of both shells. ps and lsof of the first answer from the real /proc, which only
 * they can reach; ps is this system's; Apple's differs in its column names and in how it prints
 * line breaks.
 */
export const makeLesser = async (machine: FarMachine): Promise<void> => {
  const { stage } = machine;
  stage.write(
    `${folder}/without-proc`,
    [
      `mkdir -p ${folder}/proc`,
      `mount --rbind /proc ${folder}/proc && mount -t tmpfs none /proc || exit 1`,
      edited(`env PATH=${folder}/path:/usr/bin:/bin dash`),
    ].join('\n'),
  );
  leaveAnswers(machine);
  stage.write(`${folder}/without-nul`, edited(`env PATH=${folder}/small ${folder}/small/sh`));
  stage.write(`${folder}/path/ps`, `#!/bin/sh\nexec nsenter --mount=${folder}/proc/1/ns/mnt /usr/bin/ps "$@"\n`, 0o755);
  stage.write(
    `${folder}/path/lsof`,
    `#!/bin/sh\nexec nsenter --mount=${folder}/proc/1/ns/mnt /bin/sh ${folder}/list-open-files\n`,
    0o755,
  );
  // Output of lsof -F0, as far as used here: lsof is not on every machine.
  stage.write(
    `${folder}/list-open-files`,
    [
      'for p in /proc/[0-9]*; do',
      `  printf 'p%s\\0\\nfcwd\\0tDIR\\0n%s\\0\\n' "\${p#/proc/}" "$(readlink "$p/cwd")"`,
      '  for f in "$p"/fd/*; do',
      '    name=$(readlink "$f") || continue',
      '    case $name in socket:*) type=unix ;; *) type=REG ;; esac',
      `    printf 'f%s\\0t%s\\0n%s\\0\\n' "\${f##*/}" "$type" "$name"`,
      '  done',
      'done',
      '',
    ].join('\n'),
  );
  stage.write(
    `${folder}/path/sysctl`,
    `#!/bin/sh\n[ "$2" = kern.boottime ] && echo '{ sec = 1763690100, usec = 5 } Fri Nov 21 01:55:00 2025'\n`,
    0o755,
  );
  stage.write(
    `${folder}/small/grep`,
    `#!/bin/sh\nfor a in "$@"; do [ "$a" != -z ] || { echo 'grep: unrecognized option: z' >&2; exit 2; }; done\nexec /usr/bin/busybox grep "$@"\n`,
    0o755,
  );
  const applets = 'sh tr sed id uname readlink ls cat sleep env';
  await machine.once(`for a in ${applets}; do ln -s /usr/bin/busybox ${folder}/small/$a; done`);
};
