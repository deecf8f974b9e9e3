import { describe, expect, test } from 'vitest';
import { saidBy } from '../judged.ts';

const background = { background: true };

/** The command of anthropics/claude-code#51932, which stood still for 16 h 33 min. */
const incident = `cd /path/to/dir
npx -y marked --gfm -i 01.md -o /tmp/01.html 2>&1 | tail -3
npx -y marked --gfm -i 02.md -o /tmp/02.html 2>&1 | tail -3
wc -l /tmp/*.html`;

describe('commands on lines of their own', () => {
  test.each([
    incident,
    'npm ci\nnpm run build',
    'export CI=1\nnpm ci\nnpm test',
    'export V=$(cat)\nnpm test',
    'cd shop\n\n# then\nnpm test',
    'make a;\nmake b\nmake c',
  ])('finds: %s', (command) => {
    expect(saidBy('unjoinedLines', command, background)).toMatch(/These \d commands .*&&/u);
  });

  test.each([
    'cd /path && npx -y marked -i 01.md | tail -3 && wc -l /tmp/*.html',
    'npm ci &&\nnpm run build',
    'npm run build \\\n  --workspace shop',
    'npm ci;\nnpm run build',
    'sleep 5 &\nsleep 6 &\nwait',
    'set -euo pipefail\nnpm ci\nnpm run build',
    'for i in 1 2 3; do\n  echo $i\n  sleep 1\ndone',
    'while [ ! -f /tmp/signal ]; do\n  sleep 1\ndone\ncat /tmp/result.txt',
    'cat > a.py <<EOF\nimport os\nEOF\npython3 a.py',
    'run() {\n  npm ci\n  npm test\n}\nrun',
    "python3 -c 'import os\nprint(os.getpid())\nprint(1)'",
    'npm ci\nif true\nthen',
    'eval "npm ci\nnpm test"',
    // The result of the first line is checked: joined with && the record of a failure would be
    // lost.
    'cargo build --release > build.log 2>&1\necho "exit: $?" >> build.log',
    'npm test 2>&1 | tee test.log\necho "EXIT ${PIPESTATUS[0]}"',
    // Lines before it that can neither fail nor wait.
    'export NODE_ENV=production\nnpm run build',
    'echo "building"\nunset DEBUG\nnpm run build',
    'npm ci || exit 1\nnpm test',
  ])('passes: %s', (command) => {
    expect(saidBy('unjoinedLines', command, background)).toBeNull();
  });

  test('passes in the foreground, where the agent waits', () => {
    expect(saidBy('unjoinedLines', incident)).toBeNull();
  });
});

describe('a program that may never end, without a time limit', () => {
  test.each([
    'npx -y marked --gfm -i 01.md -o /tmp/01.html',
    'cd shop && npx vite --port 3000 > vite.log 2>&1',
    'node server.js',
    'PORT=3000 node server.js',
    '/usr/local/bin/node server.js',
    'nohup node server.js > log 2>&1',
    'ollama run llama3 "why"',
    'ollama serve',
    'curl -N http://localhost:8000/events',
    'curl -sN http://localhost:8000/events | tee events',
    'curl --no-buffer https://example.com/stream',
    'curl -sfN http://localhost:3000/sse',
    'curl -N -D - http://localhost:3000/sse',
    'curl -N "$BASE/events"',
    'python -u train.py',
    'python3 -u train.py > train.log',
    'wget -q https://example.com/model.bin',
    '(cd shop && node server.js)',
  ])('finds: %s', (command) => {
    expect(saidBy('noTimeout', command, background)).toMatch(/timeout SECONDS/u);
  });

  test.each([
    'timeout 600 npx -y marked -i 01.md',
    'timeout -k 5 10m node server.js',
    'nohup timeout 600 node server.js',
    'npm run build',
    'npx --version',
    'node -v',
    'node --check server.js',
    'ollama list',
    'curl -s http://localhost:8000/health',
    'curl -N -m 30 http://localhost:8000/events',
    'curl -N --max-time 30 http://localhost:8000/events',
    'curl -N -f -m 30 http://localhost:8000/events',
    'curl -sfNm 30 http://localhost:8000/events',
    'curl -N $FLAGS http://localhost:8000/events',
    'wget -q --timeout=20 --tries=2 https://example.com/a.tgz',
    'wget -qT 20 -t 2 https://example.com/a.tgz',
    'python train.py',
    'python3 -m pytest -x',
    'echo node server.js',
    'grep -r npx .',
    'command -v node',
    'which npx',
    'V=$(node -p 1); echo $V',
    'node() { true; }; node x',
    '$RUNNER server.js',
    'eval "node server.js"',
    "bash -c 'node server.js'",
    'cat <<EOF\nnode server.js\nEOF',
    'node server.js &&',
  ])('passes: %s', (command) => {
    expect(saidBy('noTimeout', command, background)).toBeNull();
  });

  test('finds a command left behind by &, but not one that is waited for or ended', () => {
    expect(saidBy('noTimeout', 'nohup node server.js > log 2>&1 & echo $!')).toContain('`node`');
    expect(saidBy('noTimeout', 'node server.js & sleep 2; curl localhost:3000; kill $!')).toBeNull();
    expect(saidBy('noTimeout', 'node a.js & node b.js & wait')).toBeNull();
    expect(saidBy('noTimeout', 'node server.js')).toBeNull();
    expect(saidBy('noTimeout', 'end() { kill $1; }; node server.js & P=$!; npm test; end $P')).toBeNull();
    expect(saidBy('noTimeout', 'node server.js & npm test; kill %1', background)).toBeNull();
  });
});

describe('a program that never ends', () => {
  test.each([
    'tail -f /var/log/syslog',
    'tail -n 100 -F app.log',
    'tail -20f app.log',
    'watch -n 5 kubectl get pods',
    'inotifywait -m -e modify src',
    'less app.log',
    'ping example.com',
    'ping -i 5 example.com',
    'journalctl -f',
    'journalctl -u nginx --follow',
    'journalctl -fu nginx',
    'npm run build && tail -f build.log',
    'tail -f /dev/null | cat',
    'tail -f ~/logs/app.log',
    'tail -f "$LOGS/app.log"',
    'tail -f logs/*.log',
  ])('finds: %s', (command) => {
    expect(saidBy('neverEnds', command, background)).toMatch(/`[a-z]+` .*: .*timeout SECONDS/u);
  });

  test.each([
    'tail -n 50 app.log',
    'tail --pid=4711 -f /dev/null',
    'tail -f app.log | grep -m 1 ready',
    'tail -f app.log | while read -r line; do case $line in *ready*) break;; esac; done',
    'timeout 60 tail -f app.log',
    'watch -g ls',
    'inotifywait -t 30 src',
    'ping -c 4 example.com',
    'ping -w 10 example.com',
    'journalctl -n 100',
    'grep -f patterns file',
    'echo tail -f x',
    'tail -f $FILES',
    'ssh host tail -f app.log',
  ])('passes: %s', (command) => {
    expect(saidBy('neverEnds', command, background)).toBeNull();
  });

  test('knows that ping ends on its own on Windows, and after one reply with -o on macOS', () => {
    expect(saidBy('neverEnds', 'ping example.com', { ...background, platform: 'other' })).toBeNull();
    expect(saidBy('neverEnds', 'ping -o example.com', { ...background, platform: 'darwin' })).toBeNull();
    expect(saidBy('neverEnds', 'ping example.com', { ...background, platform: 'darwin' })).toContain('`ping`');
  });

  test('may be in the foreground, where the agent has a time limit', () => {
    expect(saidBy('neverEnds', 'tail -f app.log')).toBeNull();
  });
});

describe('sudo', () => {
  test.each([
    'sudo apt-get update',
    'cd x && sudo make install',
    'sudo -u postgres psql -c "select 1"',
    'nohup sudo fs_usage | grep x',
  ])('finds in the background: %s', (command) => {
    expect(saidBy('sudoInBackground', command, background)).toContain('sudo -n');
  });

  test.each([
    'sudo -n apt-get update',
    'sudo -u postgres -n psql',
    'echo $PW | sudo -S make',
    'sudo -A make',
    'echo sudo make',
    'timeout 60 sudo make',
    'sudo $FLAGS make',
    'sudo -k',
  ])('passes: %s', (command) => {
    expect(saidBy('sudoInBackground', command, background)).toBeNull();
  });

  test('may ask in the foreground, and asks root for nothing', () => {
    expect(saidBy('sudoInBackground', 'sudo make')).toBeNull();
    expect(saidBy('sudoInBackground', 'sudo make', { ...background, root: true })).toBeNull();
    expect(saidBy('sudoInBackground', 'sudo fs_usage > log &')).toContain('sudo -n');
  });
});
