import { Aside } from '../../main/os/darwin/kernel/aside.ts';

// A process that has just begun asks about process 0, then about all,
// as the table is asked for. Its first question is answered, and so is each after it.
const aside = Aside.open({ library: null, calls: [{ symbol: 'getpid', takes: [] }], room: 16 });
const isAnswered = (pid: number | null): boolean =>
  aside?.ask({ call: 0, pid, flavor: 0, arg: 0, size: 0 }, 60_000) !== null;
process.stdout.write(JSON.stringify([0, null, null, 0].map(isAnswered)));
