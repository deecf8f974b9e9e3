import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsKeep, keepInCommand } from '../../../app/guard/script/keep-assignment.ts';

describe('a command that gives CURFEW_KEEP=1 to what it starts', () => {
  test.each([
    'CURFEW_KEEP=1 redis-server --port 7000 &',
    "CURFEW_KEEP='1' nginx",
    'CURFEW_KEEP="1" nohup perl server.pl >/dev/null 2>&1 &',
    'A=1 CURFEW_KEEP=1 B=2 node x.js',
    'export CURFEW_KEEP=1; redis-server &',
    'export A=1 CURFEW_KEEP=1 && redis-server',
    'declare -x CURFEW_KEEP=1; redis-server',
    'CURFEW_KEEP=1; export CURFEW_KEEP; redis-server',
    'env CURFEW_KEEP=1 redis-server',
    'env -i PATH=/bin CURFEW_KEEP=1 redis-server',
    'nohup env A=1 CURFEW_KEEP=1 redis-server &',
    'timeout 100 env CURFEW_KEEP=1 redis-server',
    'sudo -E CURFEW_KEEP=1 redis-server',
    'npx cross-env CURFEW_KEEP=1 node x.js',
    'systemd-run --user --setenv=CURFEW_KEEP=1 redis-server',
    'docker run -e CURFEW_KEEP=1 redis',
    "bash -c 'CURFEW_KEEP=1 redis-server'",
    `bash -lc "sh -c 'CURFEW_KEEP=1 redis-server'"`,
    "eval 'CURFEW_KEEP=1 redis-server'",
    '(cd shop && CURFEW_KEEP=1 redis-server) &',
    '{ CURFEW_KEEP=1 redis-server; } &',
    'if true; then CURFEW_KEEP=1 redis-server; fi',
    'for i in 1 2; do CURFEW_KEEP=1 perl worker.pl & done',
    'f() { CURFEW_KEEP=1 redis-server; }; f',
    'coproc CURFEW_KEEP=1 redis-server',
    'echo $(CURFEW_KEEP=1 redis-server &)',
    'echo "$(CURFEW_KEEP=1 redis-server &)"',
    'echo A=$(CURFEW_KEEP=1 redis-server)',
    'A=$(CURFEW_KEEP=1 redis-server)',
    'echo "CURFEW_KEEP=1 redis-server &" | bash',
    'echo CURFEW_KEEP=1 > .env; . ./.env; redis-server',
    'export $(grep CURFEW_KEEP .env); redis-server',
    'CURFEW_KEEP=$STAY redis-server',
    'KEEP=CURFEW_KEEP; env $KEEP=1 redis-server',
    `bash -c 'env "$1" redis-server' _ CURFEW_KEEP=1`,
    'bash <<EOF\nCURFEW_KEEP=1 redis-server &\nEOF',
    'CURFEW_KEEP=0; CURFEW_KEEP=1 redis-server',
  ])('%s', (command) => {
    expect(keepInCommand(command).assigns).toBe(true);
  });

  test('also where the text cannot be read by the parser', () => {
    expect(keepInCommand('CURFEW_KEEP=1 redis-server (').assigns).toBe(true);
    expect(keepInCommand(`CURFEW_KEEP=1 redis-server # ${'x'.repeat(40_000)}`).assigns).toBe(true);
  });
});

describe('a command that only mentions CURFEW_KEEP', () => {
  test.each([
    'redis-server --port 7000 &',
    'grep CURFEW_KEEP=1 README.md',
    'grep -rn "CURFEW_KEEP=1" . | head -5 | sort',
    'echo "CURFEW_KEEP=1"',
    "printf '%s\\n' CURFEW_KEEP=1 2>/dev/null",
    'echo CURFEW_KEEP=1; redis-server',
    "bash -c 'grep CURFEW_KEEP=1 README.md'",
    'CURFEW_KEEP=0 redis-server',
    'CURFEW_KEEP= redis-server',
    'export CURFEW_KEEP=0; redis-server',
    'env CURFEW_KEEP=0 redis-server',
    'env -u CURFEW_KEEP redis-server',
    'unset CURFEW_KEEP; redis-server',
  ])('%s', (command) => {
    expect(keepInCommand(command).assigns).toBe(false);
  });
});

test('the programs of a command are named where the text alone tells their variables', () => {
  expect(keepInCommand('cd shop && nohup /usr/bin/redis-server --port 7000 & A=1 perl x.pl').programs).toEqual(
    new Set(['cd', 'redis-server', 'perl']),
  );
  expect(keepInCommand("timeout 9 bash -c 'A=$B ./server'").programs).toEqual(new Set(['bash', 'server']));
  expect(keepInCommand('export A=$B; redis-server').programs).toEqual(new Set(['redis-server']));
});

test.each([
  '. ./.env; redis-server',
  'source env.sh && redis-server',
  'export $(cat .env); redis-server',
  'env $(cat .env) redis-server',
  'eval "$(direnv hook bash)"; redis-server',
  'set -a; redis-server',
  '$START',
  'f() { redis-server; }; f',
  'bash <<EOF\nredis-server\nEOF',
  'redis-server (',
])('a file, a substitution or unreadable text may add variables: %s', (command) => {
  expect(keepInCommand(command).programs).toBeNull();
});

test('words of a command line that is split already are read in the same way', () => {
  expect(argumentsKeep(['timeout', '100', 'env', 'CURFEW_KEEP=1', 'redis-server'])).toBe(true);
  expect(argumentsKeep(['sh', '-c', "echo 'it'; CURFEW_KEEP=1 redis-server"])).toBe(true);
  expect(argumentsKeep(['grep', 'CURFEW_KEEP=1', "it's"])).toBe(false);
  expect(argumentsKeep(['redis-server', '--port', '7000'])).toBe(false);
});

test('an assignment counts anywhere in a compound command', () => {
  const start = fc.constantFrom(
    'CURFEW_KEEP=1 a',
    'env CURFEW_KEEP=1 a',
    'export CURFEW_KEEP=1',
    'export B=1 CURFEW_KEEP=1',
  );
  const other = fc.constantFrom(
    'true',
    'echo CURFEW_KEEP=1',
    'grep CURFEW_KEEP x',
    'CURFEW_KEEP=0 b',
    'unset CURFEW_KEEP',
  );
  const joint = fc.constantFrom('; ', ' && ', ' || ', '\n', ' & ');
  const around = fc.constantFrom<readonly [string, string]>(
    ['', ''],
    ['( ', ' )'],
    ['{ ', '\n}'],
    ['if true; then ', '\nfi'],
  );
  fc.assert(
    fc.property(fc.array(other), start, fc.array(other), joint, around, (before, one, after, by, [open, close]) => {
      expect(keepInCommand(`${open}${[...before, one, ...after].join(by)}${close}`).assigns).toBe(true);
    }),
  );
});

test('commands that only print the name never count, in any number and order', () => {
  const command = fc.constantFrom(
    'echo CURFEW_KEEP=1',
    'grep CURFEW_KEEP=1 x',
    'CURFEW_KEEP=0 b',
    'unset CURFEW_KEEP',
    'make',
  );
  fc.assert(
    fc.property(fc.array(command, { minLength: 1 }), fc.constantFrom('; ', ' && ', '\n'), (commands, by) => {
      expect(keepInCommand(commands.join(by)).assigns).toBe(false);
    }),
  );
});
