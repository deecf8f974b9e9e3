import { claimsOf, environmentNames, outputOf, programOf } from '../../../app/agents/signatures.ts';
import { readingsOf } from '../../../app/judge/rule-test.ts';
import { compilePattern } from '../../../app/format/pattern.ts';
import { sandboxProxyOf } from '../../../app/agents/claude-code/proxy.ts';
import { plainCommandOf } from '../../../app/agents/common/command-shell.ts';
import { redactArguments, redactCommand } from '../../../app/format/secrets/redact.ts';
import { markerNames, markersIn } from '../../../main/os/processes/environ.ts';
import { argumentsOf } from '../../../main/os/linux/proc/command-texts.ts';
import { observed } from '../../unit/agents/observed/processes.ts';
import { neverThrowsOrHangs } from './mutations.ts';

const gemini = (command: string): string =>
  `shopt -u promptvars nullglob; _bgpids_file=/tmp/gemini-shell-aB3/bgpids.tmp\n(\ntrap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`;
/** Forms that were not seen on a machine but are understood. */
const written = [
  ['bash', '-c', gemini('sleep 9')],
  [
    'bash',
    '-c',
    'shopt -u promptvars a; { sleep 9; }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_0a.tmp 2>&1; exit $__code;',
  ],
  [
    '/bin/bash',
    '-c',
    `source /h/.claude/shell-snapshots/snapshot-bash-1-a.sh && eval '{ CLAUDE_CODE_WATCHED_SLEEP=1 sleep 9 || ( case $? in 141) ;; *) \\builtin exit "$?";; esac ); }' && pwd -P >| /tmp/claude-88d4-cwd`,
  ],
  ['/bin/bash', '-c', '-l', `eval 'a < /dev/null | b' \\< /dev/null && pwd -P >| /tmp/claude-88d4-cwd`],
  [
    'bash',
    '-c',
    `{ socat TCP-LISTEN:3128,fork UNIX-CONNECT:/tmp/claude-http-0a.sock\n/proc/self/fd/3 x -c 'eval "ls"'`,
  ],
  [
    'nohup',
    'bash',
    '-c',
    `__MUX_EXIT_CODE_PATH='/t/exit_code' && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT && cd '/p' && export A='b' && ls`,
  ],
  ['zsh', '-c', 'snap=$(command cat <&3); builtin eval "$1" < /dev/null; dump_zsh_state >&4', '--', 'ls'],
];
const commandLines = [...written, ...observed.map(({ argv }) => argv)].map((argv) =>
  argv.map((one) => `${one}\0`).join(''),
);

neverThrowsOrHangs('wrappers and programs of all agents', [...new Set(commandLines)], (bytes) => {
  const argv = argumentsOf(bytes.toString('utf8'), false);
  const script = argv.findLast((one) => one.includes(' ')) ?? '';
  return [argv, ['bash', '-c', script], ['/bin/bash', '-c', '-l', script]].map((one) => [
    claimsOf({ argv: one }, null),
    programOf({ argv: one, comm: one[0] ?? '' }),
    sandboxProxyOf(one),
    plainCommandOf(one),
  ]);
});

const environments = observed.map(({ environment }) =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\0`)
    .join(''),
);
const names = markerNames(environmentNames);
neverThrowsOrHangs('markers of all agents', [...new Set(environments.filter((one) => one !== ''))], (bytes) =>
  claimsOf({ argv: ['sleep', '9'] }, markersIn(bytes, 0, bytes.length, names, false)),
);

neverThrowsOrHangs(
  'names of output files',
  [
    ...new Set(observed.flatMap(({ outputs }) => outputs)),
    '/tmp/copilot-detached-a1-1795232364193-14c57292-7016-4f9d-a93e-baec75073ff0.log',
    '/tmp/mux-bashes/w/p/output.log',
    '/h/.gemini/tmp/background-processes/background-77.log',
  ],
  (bytes) => outputOf(bytes.toString('utf8')),
);

neverThrowsOrHangs(
  'command lines that people paste and read',
  ["env A='b c' npm run dev --token=abc https://u:p@h/ -H 'Authorization: Bearer x'"],
  (bytes) => {
    const text = bytes.toString('utf8');
    return [readingsOf(text), redactCommand(text), redactArguments(text.split(' '))];
  },
);

neverThrowsOrHangs('patterns of rules', ['^(?:a|b)+\\d{1,3}[^/]*$', '--port=\\d+'], (bytes) => {
  const compiled = compilePattern(bytes.toString('utf8'));
  return (
    compiled.ok &&
    ['', 'a'.repeat(1024), bytes.toString('utf8').slice(0, 1024)].map((one) => compiled.pattern.fits(one))
  );
});
