import { environmentNames } from '../../../app/agents/signatures.ts';
import { parseAnswer } from '../../../app/remote/answer.ts';
import { problemSaid } from '../../../app/remote/host-problem.ts';
import { sayHostProblem } from '../../../app/text/host-problem.ts';
import { observationIn } from '../../../main/os/recorded/observation.ts';
import { signalResults } from '../../../main/remote/answers/signals.ts';
import { RemoteSource } from '../../../main/os/recorded/source.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import { neverThrowsOrHangs } from './mutations.ts';

const token = '0123456789abcdef0123456789abcdef';
const stat = '(sh) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0\n';
const answer = [
  `Welcome\n${token} begin 1`,

  '#head',
  'way=procfs',
  'system=Linux',
  'machine=x86_64',
  'boot=btime-1',
  'namespace=1',
  'uid=1000',
  'self=77',
  'ticks=100',
  'page=4096',
  'home=/h',
  'id=',
  'time=1',
  'curfew=',
  '#owners',
  'dr-xr-xr-x 9 1000 1000 0 Nov 21 06:30 /proc/77',

  '#processes',
  `/proc/77/stat:77 ${stat}`,
  '/proc/77/cmdline:bash',
  '/proc/77/cgroup:0::/a\n',
  '/proc/77/io:rchar: 1\nwchar: 2\n',
  '#environments',
  '/proc/77/environ:CLAUDECODE=1',
  '#readable',
  '/proc/77/environ',

  '#links',
  'l-wx------ 1 0 0 64 Nov 21 06:30 /proc/77/fd/1 -> /tmp/x',
  '#locks',
  '/proc/77/fdinfo/1:lock:\t1: FLOCK  ADVISORY  WRITE 77 00:13:1 0 EOF\n',
  '#sockets',
  'tcp\n  sl  local_address\n   0: 0100007F:0BB8 00000000:0000 0A 0:0 00:0 0 1000 0 513449 1\n',
  '#files',
  '/h/.claude/sessions/77.json:{"pid":77}',
  '#signals',
  '77 sent',
  'group 77 sent',
  '#again',
  `/proc/self/stat:78 ${stat}`,
  `/proc/77/stat:77 ${stat}`,
  `${token} end`,
]
  .map((record) => `${record}\0`)
  .join('');

/** The same machine without grep -z, and one that has only ps. */
const answerOfPs = [
  `${token} begin 1`,
  '#head',
  'way=ps',
  'system=Darwin',
  'machine=arm64',
  'boot=btime-1763690100',
  'namespace=',
  'uid=501',
  'self=77',
  'ticks=100',
  'page=16384',
  'home=/h',
  'id=',
  'time=1',
  'curfew=',
  '#fields',
  '    1     0     1      0  ??     0 Ss   Thu Nov 20 08:00:00 2025  12:34.56  20480',
  '   77     1    77      0  ??   501 S    Fri Nov 21 02:00:00 2025   0:00.01   2048',
  '#commands',
  '    1 Thu Nov 20 08:00:00 2025     /sbin/launchd',
  '   77 Fri Nov 21 02:00:00 2025     /bin/bash -c sleep 7777 | cat',
  '#kept',
  '77',
  '#lines',
  `/proc/77/stat:77 ${stat}`,
  '/proc/77/io:rchar: 1',
  '#joined',
  '/proc/77/cmdline:bash\u001E-c\u001Ea\u001Fb\u001E',
  '/proc/77/environ:CLAUDECODE=1\u001E',
  '#started',
  '   77 Fri Nov 21 02:00:00 2025',
  '#now',
  'Fri Nov 21 02:10:00 2025',
  `${token} end`,
]
  .map((record) => `${record}\0`)
  .join('');

neverThrowsOrHangs('answers of another machine', [answer, answerOfPs], (bytes) => {
  const parsed = parseAnswer(bytes.toString('latin1'), token);
  if (!parsed.ok) return;
  signalResults(parsed.sections, []);
  const observation = observationIn(parsed.sections);
  if (typeof observation === 'string') return;
  const source = new RemoteSource(observation.head, environmentNames);
  try {
    source.take(observation, 0);
  } catch (error) {
    // Refused in words, which the caller shows.
    if (error instanceof ProcessTableUnreadable) return;
    throw error;
  }
  source.facts([...source.scan().rows.values()]);
});

neverThrowsOrHangs(
  'what ssh says',
  [
    'Host key for h has changed and you have requested strict checking.\nHost key verification failed.\r\n',
    'No ED25519 host key is known for h',
    'ssh: connect to host h port 22: Connection refused',
  ],
  (bytes) => sayHostProblem('h', problemSaid(bytes.toString('utf8'))),
);
