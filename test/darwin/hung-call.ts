import { Aside } from '../../main/os/darwin/kernel/aside.ts';

// A program whose call never returns, and which is told to end.
const aside = Aside.open({ library: null, calls: [{ symbol: 'pause', takes: [] }], room: 16 });
const answer = aside?.ask({ call: 0, pid: 1, flavor: 0, arg: 0, size: 0 });
process.stdout.write(JSON.stringify({ answer, unanswered: aside?.unanswered }));
process.exit(7);
