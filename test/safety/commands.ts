import type { JobKind } from './world.ts';

/** What a tool call is asked to run. `number` is in the argv of everything that it leaves, and of nothing else in that world. */
export const commandOf = (kind: JobKind, number: number): string => {
  const sleep = `sleep ${number}`;
  switch (kind) {
    case 'pipeline':
    case 'kept':
      return `${sleep} | cat`;
    case 'leftover':
      return `${sleep} >/dev/null 2>&1 & true`;
    case 'setsid':
      return `setsid ${sleep} >/dev/null 2>&1 & true`;
    case 'forked-twice':
      return `(setsid bash -c '${sleep} & wait' >/dev/null 2>&1 &) ; true`;
    case 'deaf':
      return `trap '' TERM INT HUP; ${sleep} & ${sleep}.5; wait`;
    case 'breeds':
      return `for turn in $(seq 60); do ${sleep} & sleep 0.2; done; wait`;
    case 'changes':
      return `bash -c 'sleep 1.5; exec ${sleep}' & ${sleep} & wait`;
    case 'stopped':
      return `${sleep} & kill -STOP $!; ${sleep}; true`;
  }
};
