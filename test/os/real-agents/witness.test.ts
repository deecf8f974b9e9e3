import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { oneDocument, runCurfew } from '../scene/curfew.ts';
import { Scene } from '../scene/scene.ts';
import { endings } from './endings.ts';
import { realAgents } from './kinds.ts';
import { missingOf, startModel, startSession, withAgents, writeServers } from './session.ts';
import type { Step } from './model/step.ts';
import { recordsOf, underCurfew } from './under-curfew.ts';

const scanned = z.looseObject({
  jobs: z.array(
    z.looseObject({
      proof: z.string(),
      verdict: z.looseObject({ state: z.string() }),
      members: z.array(z.looseObject({ args: z.string() })),
    }),
  ),
});

/** Notes the group in which a call is bounded, and its limit. */
const limitsNow = `path=$(sed -n 's/^[0-9]*:memory:/1 /p; s/^0::/2 /p' /proc/self/cgroup | sort | head -n 1)
case $path in
  1*) set -- memory.limit_in_bytes cgroup -Omemory ;;
  *) set -- memory.max cgroup2 ;;
esac
(echo "\${path#??}"; cat "$(findmnt -nt "$2" $3 -o TARGET | head -n 1)\${path#??}/$1") >/tmp/limits`;

/** The model waits for it before it gives the first step. */
const after = 'begin';

/** What a session runs, and what of it only its hooks can have witnessed. */
const cases = {
  codex: [[{ command: 'sleep 9110 | cat', background: true, after }, { command: 'true' }], ['sleep 9110']],
  copilot: [[{ command: 'sleep 9110 | cat', background: true, after }], ['sleep 9110']],
  gemini: [[{ command: 'sleep 9110 | cat', background: true, after }, { command: 'true' }], ['sleep 9110']],
  qwen: [[{ command: 'sleep 9110 | cat', background: true, after }, { command: 'true' }], ['sleep 9110']],
  kimi: [[{ command: 'sleep 9110 | cat', background: true, after }, { command: 'true' }], ['sleep 9110']],
  // It has no background of its own, and calls its hooks when a call has returned.
  cline: [[{ command: 'true', after }], []],
} as const satisfies Readonly<Record<string, readonly [readonly Step[], readonly string[]]>>;

type Played = keyof typeof cases;

const registered = z.looseObject({
  sessions: z.array(z.looseObject({ agent: z.string(), project: z.string(), process: z.looseObject({}) })),
});

describe.each(Object.keys(cases) as Played[])('the real %s with hooks of --witness', (agent) => {
  const kind = realAgents.find((one) => one.agent === agent);
  const missing = kind === undefined ? 'no such agent' : missingOf(kind);

  test.skipIf(missing !== null)(
    `killed with no look before: what its hooks noted is proved, and its removal takes the notes away${missing === null ? '' : ` (SKIPPED: ${missing})`}`,
    async () => {
      if (kind === undefined) return;
      const [steps, left] = cases[agent];
      const stage = await Scene.open(withAgents);
      try {
        writeServers(stage);
        await startModel(stage);
        const starting = startSession(stage, kind, 'noted', steps, {
          beforeStart: async () => {
            const installed = await runCurfew(stage, ['hooks', 'install', agent, '--witness']);
            expect(installed).toMatchObject({ code: 0, stderr: '' });
          },
        });
        // The pass of the first hook is a look: it sees the agent, and nothing of its calls yet.
        await Promise.race([
          starting,
          stage.until('the pass of the first hook is over', () => stage.has('/tmp/curfew-home/hooks/latest-pass.json')),
        ]);
        stage.write('/tmp/model/begin', '');
        const session = await starting;
        await endings.killed(stage, session);
        // The shells of Gemini are told by their grammar, and prove more than a note does.
        for (const { pid, argv } of stage.table().filter(({ argv: words }) => words.at(-1)?.includes('gemini-shell'))) {
          await stage.first.signal(pid, 'KILL');
          await stage.until(`${argv[0]} has ended`, () => stage.row(pid) === null);
        }
        const { jobs } = scanned.parse(oneDocument(await runCurfew(stage, ['scan', '--json', '--all'])));
        const said = left.map((command) => {
          const job = jobs.find(({ members }) => members.some(({ args }) => args === command));
          return [command, job?.proof, job?.verdict.state];
        });
        expect(said).toEqual(left.map((command) => [command, 'agent-word', 'orphaned']));
        const { sessions } = registered.parse(JSON.parse(stage.read('/tmp/curfew-home/hooks/sessions.json')));
        expect(sessions).toMatchObject([{ agent, project: `${stage.home}/shop` }]);
        const removed = await runCurfew(stage, ['hooks', 'uninstall', agent]);
        expect(removed).toMatchObject({ code: 0, stderr: '' });
        expect(stage.has('/tmp/curfew-home/hooks/witnessed')).toBe(false);
      } finally {
        await stage.close();
      }
    },
  );
});

describe('the real Claude Code under `curfew agent`', () => {
  const kind = realAgents.find(({ agent }) => agent === 'claude-code');
  const missing = kind === undefined ? 'no such agent' : missingOf(kind);

  test.skipIf(missing !== null)(
    `killed with no look before: all that its calls left is proved, also what left its session and environment${missing === null ? '' : ` (SKIPPED: ${missing})`}`,
    async () => {
      if (kind === undefined) return;
      const stage = await Scene.open(withAgents);
      try {
        writeServers(stage);
        await startModel(stage);
        const steps = [
          { command: '(setsid env -i sleep 9120 </dev/null >/dev/null 2>&1 &) ; (sleep 9121 >/dev/null 2>&1 &)' },
          { command: 'setsid sh -c "(setsid env -i sleep 9122 </dev/null >/dev/null 2>&1 &)"; sleep 0.2' },
          { command: 'sleep 9123 | cat', background: true },
          { command: limitsNow },
        ];
        const session = await startSession(stage, underCurfew(kind, ['--memory', '4G']), 'bounded', steps, {
          beforeStart: () => {
            // As `hooks install claude --memory` does, whose notes would prove some of it, too.
            stage.write('/tmp/home/.claude/settings.json', '{"env":{"CLAUDE_CODE_TOOL_MEMORY_LIMIT":"2G"}}');
            return Promise.resolve();
          },
        });
        const [{ groups } = { groups: [] }, ...more] = recordsOf(stage);
        expect(more).toEqual([]);
        // Its own settings come first, in the one group that Curfew made.
        const [path, limit] = stage.read('/tmp/limits').split('\n');
        expect([path, limit]).toEqual([groups.find(({ holds }) => holds === 'calls')?.path, String(2 * 2 ** 30)]);
        await endings.killed(stage, session);
        const { jobs } = scanned.parse(oneDocument(await runCurfew(stage, ['scan', '--json', '--all'])));
        const left = ['sleep 9120', 'sleep 9121', 'sleep 9122', 'sleep 9123'];
        const said = left.map((command) => {
          const job = jobs.find(({ members }) => members.some(({ args }) => args === command));
          return [command, job?.proof, job?.verdict.state];
        });
        expect(said).toEqual(left.map((command) => [command, 'kernel', 'orphaned']));
      } finally {
        await stage.close();
      }
    },
  );
});
