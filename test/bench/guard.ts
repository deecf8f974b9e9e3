import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookFolders } from '../../main/agents/hooks/form/folders.ts';
import { hookCommand, writeHookScript } from '../../main/agents/hooks/form/hook-script.ts';
import type { Bench, Figure } from './bench.ts';
import { compare } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const rounds = 40;
/** The design's bar for a hook call before a command; a bare start of Node is 1. */
const bar = 1.6;

const call = (command: string, more: object): string =>
  JSON.stringify({
    session_id: '23978411-67a7-4cc6-9438-c162bd0dbbaa',
    transcript_path: '/home/mara/.claude/projects/-home-mara-shop/23978411-67a7-4cc6-9438-c162bd0dbbaa.jsonl',
    cwd: '/home/mara/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, ...more },
  });

/** The command of anthropics/claude-code#51932. */
const incident = `cd /path/to/dir
npx -y marked --gfm -i 01.md -o /tmp/01.html 2>&1 | tail -3
npx -y marked --gfm -i 02.md -o /tmp/02.html 2>&1 | tail -3
wc -l /tmp/*.html`;

const calls = [
  [
    'guard: a background command that three rules judge',
    call(incident, { run_in_background: true }),
    'hookSpecificOutput',
  ],
  ['guard: a pkill, compared with the agent', call('pkill -f vite; npm run dev', {}), 'hookSpecificOutput'],
  [
    'guard: a loop about which nothing is said',
    call('while [ ! -f /tmp/signal ]; do sleep 1; done && cat /tmp/r', {}),
    '',
  ],
  ['guard: a command that concerns no rule', call('git status --short 2>&1 | head -20', {}), ''],
] as const;

/**
 * Measures what an agent waits for before a command: the whole hook as it stands in Claude Code's
 * settings, beside a bare start of Node.
 */
export const guardBench: Bench = {
  name: 'guard',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const root = mkdtempSync(join(tmpdir(), 'curfew-bench-guard-'));
    try {
      const folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'lock') });
      writeHookScript(folders, { command: [process.execPath, commandLine], environment: { CURFEW_HOME: root } });
      const guard = { enabled: true, noTimeout: 'rewrite', killsAgent: 'deny' };
      writeFileSync(join(root, 'settings.json'), JSON.stringify({ guard }));
      const hook = hookCommand(folders.script, 'claude-code', 'pre-tool-use');
      const bare = (): unknown => spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
      const figures: Figure[] = [];
      for (const [what, input, answer] of calls) {
        progress(what);
        const ask = (): void => {
          const { status, stdout } = spawnSync('/bin/sh', ['-c', hook], { input, encoding: 'utf8' });
          // A hook that does nothing would be fast and prove nothing.
          if (status !== 0 || !stdout.includes(answer) || (answer === '') !== (stdout === ''))
            throw new Error(`the hook answered ${JSON.stringify(stdout)} with ${status}`);
        };
        const { ours, theirs, ratio } = await compare(ask, bare, rounds);
        figures.push({ what, comparedWith: 'node -e 0', at: 1, unit: 'ms', ours, theirs, ratio, bar });
      }
      return { figures, plots: [] };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
