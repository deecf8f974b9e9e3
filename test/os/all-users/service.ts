import { type Running, startCurfew } from '../scene/curfew.ts';
import type { Innocent } from '../scene/innocents.ts';
import { FakeClaude } from '../scene/claude.ts';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';
import { give, type SceneUser } from '../scene/users.ts';

/** Settings that end a leftover within seconds. */
export const quick = {
  schemaVersion: 1,
  noticeSeconds: 0,
  orphanGraceSeconds: 0,
  scanIntervalSeconds: 0.5,
  backgroundKillGraceSeconds: 1,
} as const;

/** What runs a program as this user: Curfew as root opens no other user's home. */
export const asUser = (user: SceneUser): readonly string[] => [
  '/usr/bin/setpriv',
  '--reuid',
  String(user.uid),
  '--regid',
  String(user.uid),
  '--clear-groups',
];

/** Writes the settings of a user as that user. */
export const settle = (stage: Scene, user: SceneUser, settings: Readonly<Record<string, unknown>>): void => {
  stage.write(`${user.home}/.config/curfew/settings.json`, JSON.stringify(settings), 0o600);
  give(stage, user.home, user.uid);
};

/** Environment of root: what must never reach a child is in it. */
const rootEnvironment = (stage: Scene): Record<string, string> => ({
  ...stage.userEnvironment(),
  CURFEW_HOME: '/tmp/root-curfew',
  XDG_STATE_HOME: '/tmp/root-state',
  AWS_SECRET_ACCESS_KEY: 'root-only',
});

/** Starts the service; a child rests after a long time unless told otherwise. */
export const startService = (stage: Scene, args: readonly string[] = ['--rest-after', '1h']): Promise<Running> =>
  startCurfew(stage, ['watch', '--all-users', ...args], { env: rootEnvironment(stage), cwd: '/' });

/** The child of a user, once there is one. */
export const childOf = async (stage: Scene, user: SceneUser): Promise<Identity> => {
  const { pid, start } = await stage.find(
    `the Curfew of ${user.name}`,
    (row) => row.argv.includes('--unattended') && uidOf(stage, row.pid) === user.uid,
  );
  return { pid, start };
};

/** Real user of a process; null when it is gone. */
export const uidOf = (stage: Scene, pid: number): number | null => {
  const status = stage.has(`/proc/${pid}/status`) ? stage.read(`/proc/${pid}/status`) : '';
  const [, uid] = /^Uid:\s+(\d+)/mu.exec(status) ?? [];
  return uid === undefined ? null : Number(uid);
};

/** All children now. */
export const children = (stage: Scene): readonly Identity[] =>
  stage
    .table()
    .flatMap(({ pid, start, state, argv }) => (state !== 'Z' && argv.includes('--unattended') ? [{ pid, start }] : []));

/** True once the Curfew of a user has taken its lock. */
export const supervises = (stage: Scene, { home }: SceneUser): boolean =>
  stage.has(`${home}/.local/state/curfew/supervisor.lock.json`);

/** Starts an agent of a user with a tool call in the background. */
export const agentWithJob = async (
  stage: Scene,
  user: SceneUser,
  command: string,
): Promise<{ readonly claude: FakeClaude; readonly job: Identity }> => {
  const claude = await FakeClaude.start(stage, { user });
  const { shell } = await claude.bash(command);
  return { claude, job: shell };
};

/** A process of an agent's tool call, as one that must stay. */
export const staying = (what: string, identity: Identity): Innocent => ({ what, identity, diary: null });

/** What the Curfew of a user noted for status bars at its last look; empty before the first. */
export const statusOf = (stage: Scene, { home }: SceneUser): string => {
  const path = `${home}/.local/state/curfew/status-line`;
  return stage.has(path) ? (stage.read(path).split('\n')[1] ?? '') : '';
};
