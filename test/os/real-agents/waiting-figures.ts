// npm run measure:waiting: requests to the model while the real Claude Code waits for a job of ten
// minutes, written to docs/records/waiting.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePidNamespace } from '../namespace.ts';
import { Scene } from '../scene/scene.ts';
import { installServer } from './claude-with-mcp.ts';
import { realAgents } from './kinds.ts';
import { startModel, withAgents } from './session.ts';
import { playWaiting, type Waited } from './waiting.ts';

requirePidNamespace();
const seconds = Number(process.env['CURFEW_TEST_JOB_SECONDS'] ?? 600);
const common = { job: `sleep ${seconds}`, patience: seconds + 240 };
const inBackground = { CLAUDE_AUTO_BACKGROUND_TASKS: '1', CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '120000' };
const stage = await Scene.open(withAgents);
try {
  await startModel(stage);
  await installServer(stage);
  const play = async (what: string, played: Promise<Waited>): Promise<readonly string[]> => {
    const { requests, all, bytes } = await played;
    return [what, String(requests), String(all), `${(bytes / 1e6).toFixed(1)} MB`];
  };
  const rows = await Promise.all([
    play('`wait_for_my_job`', playWaiting(stage, 'waits', 'wait_for_my_job', common)),
    play(
      'the same, its call moved to the background after 120 s, as in a terminal',
      playWaiting(stage, 'moved', 'wait_for_my_job', { ...common, env: inBackground }),
    ),
    play(
      'the same, `MCP_TOOL_TIMEOUT=120000`',
      playWaiting(stage, 'cut', 'wait_for_my_job', { ...common, env: { MCP_TOOL_TIMEOUT: '120000' } }),
    ),
    ...[15, 5].map((pollSeconds) =>
      play(
        `\`sleep ${pollSeconds}; cat OUTPUT\``,
        playWaiting(stage, `polls${pollSeconds}`, 'sleep and look', { ...common, pollSeconds }),
      ),
    ),
  ]);
  writeFileSync(
    join(import.meta.dirname, '../../../docs/records/waiting.md'),
    `# Waiting without polling: the record

Written by \`npm run measure:waiting\` on ${new Date().toISOString().slice(0, 10)}: the real ${realAgents[0]?.name ?? ''} without a terminal, a stand-in for its model that answers at once, and a job of ${seconds} s in its background. Each way has a session of its own, all at the same time. All requests are those of the whole session; each sends all that was said before.

| how its model waits | requests that wait | all requests | sent in all |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

What the client's limit is, read in its bundle and played: a call may take \`MCP_TOOL_TIMEOUT\` milliseconds or the \`timeout\` of the server's entry, 100,000 s where neither is set; progress does not move that. 30 min without progress end it, too. The server is told the variable, not the entry: where a call is given up, the next one is answered before that time. Without \`wait_for_my_job\`, Claude Code tells its model by itself when a task of its own background has ended; of what a command left with \`&\`, and of a server, it does not.
`,
  );
} finally {
  await stage.close();
}
