import { describe, expect, test } from 'vitest';
import { redactArguments, redactCommand, redactedLengthLimit } from '../../../app/format/secrets/redact.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('hides', () => {
  test.each([
    // A token whose header holds a chain of certificates.
    [`echo ${jwt.replace('.', `${'Q'.repeat(3000)}.`)} end`, 'echo *** end'],
    // Options by name.
    ['deploy --token abc123', 'deploy --token ***'],
    ['deploy --token=abc123 --now', 'deploy --token=*** --now'],
    ['x --password "two words" y', 'x --password *** y'],
    ["x --password='two words' y", 'x --password=*** y'],
    ['x --password two\\ words y', 'x --password *** y'],
    ['x -password abc', 'x -password ***'],
    ['x --api-key=abc --apiKey def', 'x --api-key=*** --apiKey ***'],
    ['x --client-secret "abc', 'x --client-secret ***'],
    [`eval 'x --password '"'"'abc def'"'"' y'`, `eval 'x --password *** y'`],
    ["bash -c 'x --password abc' && echo 'done'", "bash -c 'x --password ***' && echo 'done'"],
    ['ssh host "TOKEN=abc run"; echo "x"', 'ssh host "TOKEN=*** run"; echo "x"'],
    ['TOKEN=abc"def ghi"jkl x', 'TOKEN=*** x'],
    ["x --password '$ecret'", 'x --password ***'],
    ['bash -c "x --password \\"a b\\" y"', 'bash -c "x --password *** y"'],
    // Variables.
    ['GITHUB_TOKEN=abc gh pr list', 'GITHUB_TOKEN=*** gh pr list'],
    ['env DB_PASS=abc PGPASSWORD=def psql', 'env DB_PASS=*** PGPASSWORD=*** psql'],
    ['export OPENAI_API_KEY="abc"; run', 'export OPENAI_API_KEY=***; run'],
    ['STRIPE_KEY=abc RAILS_MASTER_KEY=def x', 'STRIPE_KEY=*** RAILS_MASTER_KEY=*** x'],
    ['CLAUDE_CODE_MESSAGING_TOKEN=abc', 'CLAUDE_CODE_MESSAGING_TOKEN=***'],
    // Headers.
    ['curl -H "Authorization: Bearer abc.def-123" https://x', 'curl -H "Authorization: Bearer ***" https://x'],
    ["curl -H 'authorization: Basic dXNlcjpwYXNz'", "curl -H 'authorization: Basic ***'"],
    ['curl -H Authorization: Bearer abc.def-123 https://x', 'curl -H Authorization: Bearer *** https://x'],
    ["curl -H 'X-Api-Key: abc def'", "curl -H 'X-Api-Key: ***'"],
    ["curl -H 'PRIVATE-TOKEN: abc'", "curl -H 'PRIVATE-TOKEN: ***'"],
    ["curl -H 'Cookie: a=1; session=2'", "curl -H 'Cookie: ***'"],
    ['got Bearer abcdef', 'got Bearer ***'],
    // Programs.
    ['mysql -u root -phunter2 shop', 'mysql -u root -p*** shop'],
    ['mysqldump -phunter2 shop | gzip', 'mysqldump -p*** shop | gzip'],
    ['sshpass -p hunter2 ssh host', 'sshpass -p *** ssh host'],
    ['curl -u me:hunter2 https://x', 'curl -u me:*** https://x'],
    ['curl --user me:hunter2 https://x', 'curl --user me:*** https://x'],
    ['http -a me:hunter2 :3000', 'http -a me:*** :3000'],
    ['redis-cli -a hunter2 ping', 'redis-cli -a *** ping'],
    ['docker login -u me -p hunter2 registry', 'docker login -u me -p *** registry'],
    ['7z a -phunter2 x.7z y', '7z a -p*** x.7z y'],
    ['smbclient //h/s -U me%hunter2', 'smbclient //h/s -U me%***'],
    ['openssl enc -pass pass:hunter2 -in x', 'openssl enc -pass *** -in x'],
    // Addresses.
    ['git clone https://me:hunter2@github.com/x', 'git clone https://me:***@github.com/x'],
    ['psql postgres://u:p@ss:w@db:5432/x', 'psql postgres://u:***@db:5432/x'],
    ['https_proxy=http://srt-1a:s3cr@localhost:3128', 'https_proxy=http://srt-1a:***@localhost:3128'],
    ['bwrap --setenv X srt9f:s3cr@localhost:3128', 'bwrap --setenv X srt9f:***@localhost:3128'],
    ['git push https://a1b2c3d4e5f6a7b8c9d0e1f2@github.com/x', 'git push https://***@github.com/x'],
    ['curl "https://x/y?token=abc&page=2"', 'curl "https://x/y?token=***&page=2"'],
    ['curl https://s3/x?X-Amz-Signature=abc', 'curl https://s3/x?X-Amz-Signature=***'],
    // Structures.
    [`curl -d '{"password":"abc","user":"me"}'`, `curl -d '{"password":***,"user":"me"}'`],
    ['Server=db;Password=abc;User=me', 'Server=db;Password=***;User=me'],
    ['password: abc', 'password: ***'],
    // Forms.
    ['x sk-ant-api03-AbCdEfGh_12-34 y', 'x *** y'],
    ['x sk-1234567890abcdefghij', 'x ***'],
    ['x ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'x ***'],
    ['x github_pat_11ABCDEFG0abcdefghij_klmnop', 'x ***'],
    ['x glpat-abcdefghij0123456789', 'x ***'],
    ['x AKIAIOSFODNN7EXAMPLE', 'x ***'],
    ['x xoxb-123456789012-abcdef', 'x ***'],
    ['x AIzaSyA1234567890abcdefghijklmnopqrstuv', 'x ***'],
    [`x ${jwt}`, 'x ***'],
    ['x npm_abcdefghijklmnopqrstuvwxyz0123456789', 'x ***'],
    ['https://hooks.slack.com/services/T000/B000/XXXX', 'https://hooks.slack.com/services/***'],
    ['echo "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----" > k', 'echo "***" > k'],
    ['echo -----BEGIN PRIVATE KEY-----\nabc', 'echo ***'],
  ])('%s', (command, expected) => {
    expect(redactCommand(command)).toBe(expected);
    expect(redactCommand(expected)).toBe(expected);
  });
});

describe('leaves alone', () => {
  test.each([
    'git checkout 3f786850e387550fdab836ed7e6dc881de23001b',
    'claude --resume 550e8400-e29b-41d4-a716-446655440000',
    'claude --session-id 550e8400-e29b-41d4-a716-446655440000',
    'cat /home/me/.ssh/id_ed25519',
    'mkdir -p build/out && cd build',
    'ls -p dir | grep mysql',
    'docker run -p 3000:3000 web',
    'docker login --password-stdin registry.example.com',
    'curl -u me https://x',
    'llm --max-tokens 4096 --tokenizer x',
    'MAX_OUTPUT_TOKENS=32000 TOKENIZERS_PARALLELISM=false x',
    'SSH_AUTH_SOCK=/tmp/agent.sock ssh x',
    'PASSWORD_FILE=/run/secrets/db x --token-file /x',
    'PWD=/home/me OLDPWD=/tmp x',
    'SSH_KEY=/home/me/.ssh/id x --private-key ./k.pem',
    'sort --key 2 --pass-through y',
    'GITHUB_TOKEN=$TOKEN x --password "$DB_PASS" --token ${X}',
    'gh auth token',
    'GIT_AUTHOR_NAME=me git commit --author "me <me@x>"',
    'pip install sk-learn-contrib-package',
    'npm install foo@npm:bar@1.2.3',
    'ssh://git@github.com/x git@github.com:owner/repo.git',
    'https://example.com:8080/a@2x.png',
    'x --auth=no --secret=false',
    'grep -rn password src',
    'next-auth init',
    'echo bearer of news',
    'sshd -p 22',
    'jq .tokens file.json',
    '***',
    '',
  ])('%s', (command) => {
    expect(redactCommand(command)).toBe(command);
  });
});

describe('arguments of a process', () => {
  test.each([
    [['mysql', '--password', 'two words', 'shop'], 'mysql --password *** shop'],
    [['x', '--token=a b;c&d'], 'x --token=***'],
    [['x', '--token', '$ecret'], 'x --token ***'],
    [['env', 'DB_PASS=a b', 'x'], 'env DB_PASS=*** x'],
    [['bash', '-c', 'TOKEN=abc curl https://x'], 'bash -c TOKEN=*** curl https://x'],
    [['curl', '-H', 'Authorization: Bearer abc'], 'curl -H Authorization: Bearer ***'],
    [['curl', '-H', 'X-Api-Key: abc'], 'curl -H X-Api-Key: ***'],
    [['x', '--token', '--next'], 'x --token --next'],
    [['x', '--max-tokens', '4096'], 'x --max-tokens 4096'],
    [['x', '--token'], 'x --token'],
    [[], ''],
  ])('%o', (argv, expected) => {
    expect(redactArguments(argv)).toBe(expected);
  });
});

describe('long texts', () => {
  test('are cut', () => {
    const text = redactCommand(`x ${'a'.repeat(100_000)}`);
    expect(text.length).toBeLessThanOrEqual(redactedLengthLimit);
    expect(redactCommand(text)).toBe(text);
  });

  test('leave no half secret at the end', () => {
    const filler = 'a '.repeat(redactedLengthLimit - 10);
    expect(redactCommand(`${filler}ghp_abcdefghijklmnopqrstuvwxyz0123456789`)).not.toContain('ghp_');
  });

  test('without a blank are hidden whole when nothing of them can be judged', () => {
    expect(redactCommand('a'.repeat(200_000))).toBe('***');
  });

  test('never end in half a character', () => {
    expect(redactCommand(`${'a'.repeat(redactedLengthLimit - 2)}${'😀'.repeat(10)}`)).toMatch(/a…$/u);
  });
});
