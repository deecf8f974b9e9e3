import { describe, expect, test } from 'vitest';
import { programOf } from '../../../app/agents/signatures.ts';

const programs: readonly (readonly [string, readonly string[], string?])[] = [
  ['claude-code', ['claude']],
  ['claude-code', ['claude', '', '', '']],
  ['claude-code', ['/home/me/.local/share/claude/versions/2.1.233', '-p', 'x'], '2.1.233'],
  ['claude-code', ['node', '--no-warnings', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js']],
  ['claude-code', ['node', '--require', '/x/hook.js', '/usr/bin/claude']],
  ['claude-code', ['bash', '/tmp/fake/claude']],
  ['claude-code', ['/bin/sh', '-eu', '/tmp/fake/claude']],
  ['claude-code', ['claude bg-pty-host', '--bg-pty-host', '/tmp/x.sock']],
  ['claude-code', ['/Applications/Claude.app/Contents/MacOS/Claude']],
  ['claude-code', [], 'claude'],
  ['codex', ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js', 'exec']],
  ['codex', ['/x/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', 'app-server']],
  ['copilot', ['/x/@github/copilot-linux-x64/copilot', '-p', 'y'], 'MainThread'],
  ['copilot', ['node', '/usr/lib/node_modules/@github/copilot/index.js']],
  ['gemini', ['/usr/bin/node', '--max-old-space-size=12052', '/usr/bin/gemini', '--yolo']],
  ['opencode', ['/home/me/.opencode/bin/opencode']],
  ['opencode', ['bun', 'run', '/x/opencode-ai/bin/opencode']],
  [
    'cursor',
    [
      '/home/me/.local/share/cursor-agent/versions/2026.01/node',
      '/home/me/.local/share/cursor-agent/versions/2026.01/index.js',
    ],
  ],
  ['cursor', ['/tmp/.mount_CursorX/usr/share/cursor/cursor', '--type=renderer']],
  ['mux', ['/opt/mux/mux', '--no-sandbox']],
  ['aider', ['/home/me/.local/share/uv/tools/aider-chat/bin/python', '/home/me/.local/bin/aider']],
  ['aider', ['python3.12', '-m', 'aider', '--model', 'x']],
  ['other', ['goose', 'session']],
  ['qwen', ['node', '/usr/bin/qwen']],
  ['pi', ['pi']],
  ['pi', ['node', '/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js']],
  ['continue', ['node', '/usr/lib/node_modules/@continuedev/cli/dist/cn.js']],
  ['kimi', ['kimi']],
  ['kimi', ['kimi-code', '']],
  ['kimi', ['node', '/usr/lib/node_modules/@moonshot-ai/kimi-code/dist/main.mjs']],
  ['openclaw', ['node', '/usr/lib/node_modules/openclaw/openclaw.mjs', 'gateway']],
  ['hermes', ['python3', '/home/me/.local/bin/hermes']],
  ['crush', ['crush']],
  ['cline', ['node', '/usr/bin/cline']],
];

describe('agents themselves', () => {
  test.for(programs.map(([agent, argv, comm], index) => ({ agent, argv, comm: comm ?? 'node', index })))(
    '$index $agent: $argv',
    ({ agent, argv, comm }) => {
      expect(programOf({ argv, comm })).toBe(agent);
    },
  );
});
