import { describe, expect, test } from 'vitest';
import { claimsOf, outputOf, programOf } from '../../../app/agents/signatures.ts';
import { observed } from './observed/processes.ts';

const named = observed.map((process, index) => ({
  ...process,
  title: `${index} ${process.seen}: ${process.argv.slice(0, 2).join(' ').slice(0, 60)}`,
}));

describe('processes seen under real agents', () => {
  test.for(named)('$title is an agent itself exactly where it was one', (process) => {
    expect(programOf(process) !== null).toBe(process.program);
  });

  test('every tool shell of Claude Code gives back the command that was asked for', () => {
    const commands = observed.flatMap((process) => {
      const [claim] = claimsOf(process, null);
      return claim?.shell?.rule.startsWith('claude') === true
        ? [`${process.seen.split(': ')[1]}: ${claim.shell.command}`]
        : [];
    });
    const quoting = `env-live: cd /tmp && echo "it's a 'quoted' \\"thing\\""; cat <<'EOT'\nheredoc $x\nEOT\ntail -f /dev/null`;
    const dollars = 'echo "$HOME" `date` !x \\\\ \'q\'; tail -f /dev/null';
    expect(commands).toEqual([
      'bg-live: sleep 3600 | cat',
      'tui-live: sleep 3600 | cat',
      'tui-bg: (sleep 3601 & sleep 3602 & wait)',
      quoting,
      `q-claude: ${dollars}`,
      'q-claude: echo a\ntail -f /dev/null && pwd -P >| /tmp/claude-aaaa-cwd',
      "q-claude: tail -f /dev/null | grep 'x && eval '",
      'q-claude: sleep 1 && sleep 4000; echo done',
      // From outside inwards: the leader, the shell that starts the proxies, the helper, the shell
      // itself.
      'sb: tail -f /dev/null | cat',
      'sb: tail -f /dev/null | cat',
      'sb: tail -f /dev/null | cat',
      'sb: tail -f /dev/null | cat',
      'sb: echo "it\'s"; tail -f /dev/null',
      'sb: echo "it\'s"; tail -f /dev/null',
      'tui-197: sleep 3600 | cat',
      'tui-2028: sleep 3600 | cat',
      `q-2028: ${dollars}`,
      "q-2028: tail -f /dev/null | grep 'x && eval '",
      'q-2028: sleep 1 && sleep 4000; echo done',
    ]);
  });

  test('hooks, MCP servers, status lines, the daemon and the proxy are never taken for something a tool call started', () => {
    const own = observed.filter(
      ({ argv }) =>
        argv[1]?.endsWith('mcp.mjs') === true ||
        argv.join(' ') === 'sleep 7777' ||
        argv[1]?.startsWith('UNIX-LISTEN') === true,
    );
    expect(own.length).toBeGreaterThan(6);
    for (const process of own) {
      const kinds = claimsOf(process, process.environment).map((claim) => claim.marker?.kind);
      expect(kinds.every((kind) => kind === 'harness')).toBe(true);
    }
  });

  test('everything a tool call started is marked as such by its agent, with session and process where the version names them', () => {
    const ids = observed
      .filter(({ argv }) => argv[0] === 'sleep' && argv[1] !== '7777' && argv[1] !== '100')
      .map((process) => {
        const [claim] = claimsOf(process, process.environment);
        const marker = claim?.marker?.kind === 'tool' ? claim.marker : null;
        return [process.seen.split(':')[0], claim?.agent, marker?.session != null, marker?.ownerPid != null].join(' ');
      });
    expect([...new Set(ids)]).toEqual([
      'claude-code 2.1.329 claude-code true true',
      'claude-code 2.1.197 claude-code true false',
      'claude-code 2.0.28 claude-code false false',
      'codex 0.169.0 codex true false',
      'copilot 1.0.102 copilot true false',
      'opencode 1.18.33 opencode false true',
    ]);
  });

  test('output files name session, task and project', () => {
    const matches = observed.flatMap(({ outputs }) => outputs.map((path) => outputOf(path)));
    const claude = matches.filter((one) => one?.agent === 'claude-code');
    expect(claude.length).toBeGreaterThan(20);
    for (const one of claude) {
      expect(one?.match.session).toMatch(/^[0-9a-f-]{36}$/);
      expect(one?.match.task).toMatch(/^b[a-z0-9]{8}$/);
      expect(one?.match.projectSlug).toBe('-home-me-shop');
    }
  });

  test('what was started beside the agents by hand claims nothing', () => {
    const plain = observed.filter(
      ({ argv }) => argv[0] === 'tmux' || argv[1] === '100' || argv[2]?.startsWith('bash ') === true,
    );
    expect(plain.length).toBeGreaterThan(2);
    for (const process of plain) expect(claimsOf(process, process.environment)).toEqual([]);
  });
});
