import { describe, expect, test } from 'vitest';
import { runsAs, saidBy } from '../judged.ts';

describe('a command behind a redirection', () => {
  test.each([
    `jq '.items[]' a.json > out.json echo "written"`,
    'npm test > log 2>&1 echo done testing',
    'curl -s https://example.com >> page.html cd build',
    'make all &> make.log printf "%s\\n" built',
  ])('finds: %s', (command) => {
    expect(saidBy('swallowedCommand', command)).toMatch(/not run but passed to/u);
  });

  test.each([
    `jq . a.json > out.json; echo "written"`,
    `jq . a.json > out.json && echo "written"`,
    `jq . a.json > out.json\necho "written"`,
    'echo > out.txt echo is a word',
    '> out.txt echo hello',
    'grep -h needle > found a.txt b.txt',
    'find . 2>/dev/null -name echo -print',
    'apt-get install -y > log git curl',
    'nohup > log node server.js',
    'xargs > log echo hello',
    'sudo > log echo hello',
    'git commit > log -m "echo hello"',
    'make > log "echo" hello',
    'cat a.txt > b.txt echo',
    'type > x cd echo',
    'ssh host > log echo hello',
    'npm test > log $CMD echo x',
    'rg -n > found.txt echo src/',
    'poetry > requirements.txt export --without-hashes',
    'redis-cli > answer echo hello',
  ])('passes: %s', (command) => {
    expect(saidBy('swallowedCommand', command)).toBeNull();
  });
});

describe('a reader without anything to read', () => {
  test.each([
    // Claude Code 2.1.329 leaves standard input open where anything in the command redirects it.
    "cat <<'EOF' > a.py\nprint(1)\nEOF\ngrep print",
    'sort < a.txt > b.txt && wc -l',
    'python3 - < setup.py; cat',
    'diff a b < /dev/null; head -n 5 | tail -2',
    "python3 <<'EOF'\nprint(1)\nEOF\nread -p 'Continue? ' answer",
    "cat > f <<'EOF'\nx\nEOF\njq .name",
    'cat < a; python3',
  ])('finds in Claude Code: %s', (command) => {
    expect(saidBy('waitsOnInput', command)).toContain('< /dev/null');
  });

  test.each([
    'grep print',
    'cat',
    'cat a.txt < b.txt',
    "cat <<'EOF'\nhi\nEOF",
    'cat <<< hi; grep -r needle',
    'cat a.txt | grep needle < /dev/null',
    'echo hi | cat; sort < a.txt',
    'while read -r line; do echo "$line"; done < a.txt',
    '{ cat; } < a.txt',
    'cat $FILES < a.txt; cat "$X"',
    'read -t 5 answer < a.txt; read -t 5 answer',
    'exec < a.txt; cat',
    'cat < a.txt; (cat &)',
    'if [ -t 0 ]; then echo hi < a; else cat; fi',
    'grep < a.txt; jq -n 1 < a; xargs -a list echo < a',
    'cat() { true; }; cat; wc < a',
    'timeout 5 cat; wc < a',
    'python3 < a.py; python3 -c "print(1)"; python3 -V; python3 a.py',
    'awk "{print}" a < b; sed -n 1p a',
    'bash -c cat < a',
    'wc -l < a; X=$(cat)',
  ])('passes in Claude Code: %s', (command) => {
    expect(saidBy('waitsOnInput', command)).toBeNull();
  });

  test('is told in agents that leave standard input open, and not in opencode', () => {
    expect(saidBy('waitsOnInput', 'grep needle', runsAs('gemini'))).toContain('`grep`');
    expect(saidBy('waitsOnInput', 'grep needle', runsAs('opencode'))).toBeNull();
  });

  test.each(['codex', 'copilot', 'gemini'] as const)(
    'passes if %s or its user can type into a running command',
    (agent) => {
      for (const command of ['python3', 'cat', "read -p 'Go on? ' answer; echo $answer"])
        expect(saidBy('waitsOnInput', command, runsAs(agent))).toBeNull();
      expect(saidBy('waitsOnInput', 'jq .name', runsAs(agent))).toContain('`jq`');
    },
  );

  test('finds no reader whose file is a variable or a pattern', () => {
    expect(saidBy('waitsOnInput', 'wc -l < a; sort "$DIR/b"; cat ~/c; head logs/*.log')).toBeNull();
  });
});

describe('a loop that waits for itself', () => {
  test.each([
    // anthropics/claude-code#60716
    `until [ -z "$(pgrep -f 'npm run build')" ]; do sleep 5; done; tail build.log`,
    'while pgrep -f vitest > /dev/null; do sleep 1; done',
    'until ! pgrep -f vitest; do sleep 1; done',
    'while [ -n "$(pgrep -f vitest)" ]; do sleep 1; done',
    'while [[ -n $(pgrep -f vitest) ]]; do sleep 1; done',
    'until test -z "$(pgrep -f vitest)"; do sleep 1; done',
    'cd x && { while pgrep -fl "a.*b" >/dev/null 2>&1; do sleep 1; done; echo done; }',
    'while ps aux | grep -q train.py; do sleep 5; done',
    'if true; then until [ -z "$(ps -ef | grep train.py)" ]; do sleep 1; done; fi',
  ])('finds: %s', (command) => {
    expect(saidBy('waitsForItself', command)).toMatch(/never ends.*\[/u);
  });

  test.each([
    `until [ -z "$(pgrep -f '[n]pm run build')" ]; do sleep 5; done`,
    'until pgrep -f vitest; do sleep 1; done',
    'while ! pgrep -f vitest; do sleep 1; done',
    'while pgrep vitest; do sleep 1; done',
    'while pgrep -x vitest; do sleep 1; done',
    'while pgrep -P $$ -f vitest; do sleep 1; done',
    'while pgrep -f "$NAME"; do sleep 1; done',
    'while pgrep -f "^node a"; do sleep 1; done',
    'while pgrep -f vitest | grep -v $$; do sleep 1; done',
    'while pgrep -f vitest; do i=$((i+1)); [ $i -gt 9 ] && break; sleep 1; done',
    'while pgrep -f vitest && [ $n -lt 5 ]; do n=$((n+1)); done',
    'while ps aux | grep train.py | grep -v grep; do sleep 5; done',
    'while ps -p 4711; do sleep 1; done',
    'while kill -0 4711; do sleep 1; done',
    'while read -r line; do pgrep -f x; done < a',
    'for i in 1 2 3; do pgrep -f vitest || break; done',
    'pgrep -f vitest',
    `ssh host 'while pgrep -f vitest; do sleep 1; done'`,
    `timeout 60 bash -c 'while pgrep -f vitest; do sleep 1; done'`,
    'echo "until [ -z $(pgrep -f x) ]"',
  ])('passes: %s', (command) => {
    expect(saidBy('waitsForItself', command)).toBeNull();
  });

  test('finds itself on Linux only, where pgrep excludes only itself', () => {
    expect(saidBy('waitsForItself', 'while pgrep -f vitest; do sleep 1; done', { platform: 'darwin' })).toBeNull();
  });
});

describe('an end that hits the agent', () => {
  const node = {
    agentProcesses: [{ name: 'node', commandLine: 'node /usr/lib/node_modules/@google/gemini-cli/index.js' }],
  };

  test.each([
    'pkill -f claude',
    'pkill -9 -f claude',
    'pkill -f "permission-mode"',
    'pkill claude',
    'killall claude',
    'killall -9 claude node',
    'pkill -f tmux',
    'pkill -f "vite|claude"',
    'kill -9 -1',
    'kill -9 $PPID',
    'kill $CLAUDE_PID',
    'sleep 1; sudo_like=1; pkill -if CLAUDE',
  ])('finds: %s', (command) => {
    expect(saidBy('killsAgent', command)).toMatch(/agent/u);
  });

  test.each(['pkill -f node', 'pkill node', 'killall node', 'killall -q -9 node'])(
    'finds a kill of node if the agent runs on Node: %s',
    (command) => {
      expect(saidBy('killsAgent', command, node)).toMatch(/agent/u);
      expect(saidBy('killsAgent', command)).toBeNull();
    },
  );

  test.each(['kill %1', 'kill -9 %2', 'cd shop && kill %%'])('finds a kill that ends nothing: %s', (command) => {
    expect(saidBy('killsAgent', command)).toContain('has no jobs');
  });

  test('may be a job of a shell that goes on from one command to the next', () => {
    expect(saidBy('killsAgent', 'kill %1', runsAs('cursor'))).toBeNull();
  });

  test('finds a command that ends its own shell before the rest runs', () => {
    expect(saidBy('killsAgent', 'pkill -f "vite --port 3000"; npm run dev')).toContain('never run: look for "[v]ite');
    expect(
      saidBy('killsAgent', 'pkill -f "vite --port 3000" && sleep 1 && npm run dev', { platform: 'darwin' }),
    ).toBeNull();
  });

  test.each([
    'pkill -f "vite --port 3000"',
    'pkill -f vite || true',
    'pkill -f "[v]ite"; npm run dev',
    'pkill -f "$NAME"; npm run dev',
    'pkill -u postgres -f claude',
    'pkill -x claud',
    'pkill -P 4711',
    'pkill -0 -f claude',
    'pkill vite; npm run dev',
    'killall vite',
    'killall -u mara claude',
    'kill 4711',
    'kill -1 4711',
    'kill -TERM $PID',
    'kill -l 1',
    'kill -0 $PPID',
    'sleep 100 & kill %1',
    'npm run dev & sleep 2 && kill %1',
    'echo pkill -f claude',
    'grep "pkill -f claude" README.md',
    `ssh host 'pkill -f claude'`,
    // The pattern of pkill differs from its text in the shell's arguments.
    'pkill -f serve\\ dist; npm start',
    'pgrep -f claude',
    'pkill -f "^claude"',
  ])('passes: %s', (command) => {
    expect(saidBy('killsAgent', command)).toBeNull();
  });
});
