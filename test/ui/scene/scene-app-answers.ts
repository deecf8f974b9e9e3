import type { Check } from '../../../app/contract/app-questions.ts';
import type { Said } from '../../../app/format/said.ts';
import { joined, say } from '../../../app/text/say.ts';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { moment } from '../../../app/format/moment.ts';
import { scenePorts } from './ports.ts';
import { noFiles, SceneFiles } from './files.ts';
import { sceneSessions } from './sessions.ts';
import type { SceneEngine } from './scene-engine.ts';

type AppName = Exclude<
  keyof Answerers,
  `history.${string}` | `settings.${string}` | `job.${string}` | `leftOpen.${string}` | `agent.${string}`
>;

const check = (title: string, state: Check['state'], text: Said): Check => ({
  code: title.toLowerCase(),
  title,
  state,
  text,
  advice: null,
});

const done = { ok: true, value: {} } as const;

const hookLines: AgentHooks['changes'] = [
  { kind: 'same', line: '{' },
  { kind: 'same', line: '  "model": "opus",' },
  { kind: 'added', line: '  "hooks": {' },
  {
    kind: 'added',
    line: '    "SessionStart": [{ "hooks": [{ "type": "command", "command": "curfew hook session-start" }] }],',
  },
  {
    kind: 'added',
    line: '    "SessionEnd": [{ "hooks": [{ "type": "command", "command": "curfew hook session-end" }] }]',
  },
  { kind: 'added', line: '  }' },
  { kind: 'same', line: '}' },
];

const agents: readonly AgentHooks[] = [
  {
    agent: 'claude-code',
    name: 'Claude Code',
    found: '/home/mara/.local/bin/claude',
    version: '2.1.329',
    hooks: 'absent',
    file: '/home/mara/.claude/settings.json',
    changes: hookLines,
    note: null,
  },
  {
    agent: 'codex',
    name: 'Codex',
    found: '/usr/local/bin/codex',
    version: '0.169.0',
    hooks: 'installed',
    file: '/home/mara/.codex/config.toml',
    changes: [],
    note: null,
  },
  {
    agent: 'copilot',
    name: 'Copilot',
    found: '/home/mara/.npm/bin/copilot',
    version: '1.0.102',
    hooks: 'unsupported',
    file: null,
    changes: [],
    note: 'Its shells are recognised by their leases instead.',
  },
  {
    agent: 'gemini',
    name: 'Gemini',
    found: null,
    version: null,
    hooks: 'absent',
    file: null,
    changes: [],
    note: null,
  },
];

/** Answers about Curfew as a whole. */
export const appAnswers = (engine: SceneEngine): Pick<Answerers, AppName> => {
  const hooks = new Map(agents.map((agent) => [agent.agent, agent]));
  let autostart = true;
  const setHooks = (agent: string, state: AgentHooks['hooks']) => {
    const before = hooks.get(agent) ?? agents[0];
    if (before === undefined) throw new Error(`the scene has no agent ${agent}`);
    const after = { ...before, hooks: state };
    hooks.set(agent, after);
    return { ok: true, value: after } as const;
  };
  const files = new SceneFiles(Date.parse(engine.snapshot.at));
  const autostartNow = () =>
    ({
      ok: true,
      value: {
        state: autostart ? 'enabled' : 'disabled',
        text: 'Writes ~/.config/autostart/curfew.desktop.',
      },
    }) as const;
  return {
    'snapshot.get': () => ({ ok: true, value: engine.snapshot }),
    'watch.look': () => {
      engine.look();
      return done;
    },
    'watch.attend': () => done,
    'watch.pause': ({ seconds }) => {
      engine.change({ pausedUntil: seconds === null ? 'forever' : moment(Date.now() + seconds * 1000) });
      return done;
    },
    'watch.resume': () => {
      engine.change({ pausedUntil: null });
      return done;
    },
    'sessions.list': () => ({
      ok: true,
      value: sceneSessions(engine.snapshot.jobs.length === 0 ? 'none' : 'several', Date.parse(engine.snapshot.at)),
    }),
    'ports.list': () => ({ ok: true, value: scenePorts(engine.snapshot) }),
    'files.list': () => ({ ok: true, value: engine.snapshot.jobs.length === 0 ? noFiles : files.view() }),
    'files.remove': ({ ids }) => ({ ok: true, value: files.remove(ids) }),
    'mode.set': ({ mode }) => {
      const { settings } = engine.snapshot;
      engine.change({ mode, modeChosen: true, settings: { ...settings, values: { ...settings.values, mode } } });
      return done;
    },
    'hooks.status': () => ({ ok: true, value: { agents: [...hooks.values()] } }),
    'hooks.install': ({ agent }) => setHooks(agent, 'installed'),
    'hooks.uninstall': ({ agent }) => setHooks(agent, 'absent'),
    'autostart.status': autostartNow,
    'autostart.set': ({ enabled }) => {
      autostart = enabled;
      return autostartNow();
    },
    'host.check': ({ host }) => ({
      ok: true,
      value: { reachable: true, text: `${host} answers, Curfew 0.1.0 is there.`, jobs: 2 },
    }),
    'doctor.run': () => ({
      ok: true,
      value: {
        checks: [
          check('Processes', 'good', say('{count} read through {source}.', { count: 312, source: 'procfs' })),
          check(
            'Signals',
            'good',
            say('Sent through {mechanism}: a recycled process id can’t be hit.', {
              mechanism: 'pidfd with process groups',
            }),
          ),
          check(
            'Record',
            'failure',
            say('{path} could not be written: {why}.', { path: '/home/mara/history.db', why: 'EIO' }),
          ),
          check(
            'Hooks',
            'warning',
            joined(
              say('Not in {agent}.', { agent: 'Claude Code' }),
              say('`curfew hooks install {agent}` lets it tell Curfew when sessions begin and end.', {
                agent: 'claude-code',
              }),
            ),
          ),
          check(
            'Other reapers',
            'warning',
            say('{one}; what it ends is not in Curfew’s record.', {
              one: say('{name} runs as process {pid}', { name: 'cc-reaper', pid: 812 }),
            }),
          ),
          check('Self-check', 'skipped', say('Not made: nothing can be ended here.')),
        ],
      },
    }),
    'app.open': () => done,
    'app.told': ({ what, now, seen }) => {
      const before = engine.told[what] ?? null;
      if (before === null || seen) engine.told[what] = now;
      return { ok: true, value: { before } };
    },
    'app.copy': ({ text }) => {
      engine.copied = text;
      return done;
    },
    'app.openPath': ({ path }) => {
      engine.opened = path;
      return { ok: true, value: { did: 'opened' } };
    },
    'app.openPort': ({ port }) => {
      engine.opened = `:${port}`;
      return done;
    },
    'shortcut.status': () => {
      const { shortcut } = engine.snapshot.settings.values;
      // One of them is another program's.
      const state = shortcut === 'off' ? 'off' : shortcut === 'CommandOrControl+Shift+Y' ? 'taken' : 'on';
      return { ok: true, value: { state } };
    },
    'app.quit': () => done,
  };
};
