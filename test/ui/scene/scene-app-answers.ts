import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import type { Answerers } from '../../../app/contract/exchange.ts';
import { moment } from '../../../app/format/moment.ts';
import { sceneSessions } from './sessions.ts';
import type { SceneEngine } from './scene-engine.ts';

type AppName = Exclude<
  keyof Answerers,
  `history.${string}` | `settings.${string}` | `job.${string}` | `leftOpen.${string}` | `agent.${string}`
>;

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
          { code: 'source', title: 'Process table', state: 'good', text: 'Read from /proc in 3.1 ms.', advice: null },
          { code: 'pidfd', title: 'Signals', state: 'good', text: 'pidfd with process groups.', advice: null },
          { code: 'journal', title: 'Journal', state: 'good', text: 'Writable, 412 MB free.', advice: null },
          {
            code: 'hooks',
            title: 'Hooks',
            state: 'warning',
            text: 'Claude Code has no hooks; ended sessions are noticed up to 10 s later.',
            advice: 'Install them under “Agents”.',
          },
          {
            code: 'reapers',
            title: 'Other reapers',
            state: 'failure',
            text: 'cc-reaper runs on this machine (pid 812) and ends processes without telling Curfew.',
            advice: 'Switch one of the two off.',
          },
          {
            code: 'notifications',
            title: 'Notifications',
            state: 'skipped',
            text: 'There is no desktop here.',
            advice: null,
          },
        ],
      },
    }),
    'app.open': () => done,
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
