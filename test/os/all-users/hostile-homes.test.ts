import { chmodSync, lchownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import type { Identity } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { addUsers, give, ownEtc, type SceneUser } from '../scene/users.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { agentWithJob, childOf, children, quick, settle, startService, statusOf, uidOf } from './service.ts';

/** A home that is meant to hurt root, another user, or the service. */
interface Hostile {
  readonly what: string;
  /** Prepares the home of the hostile user; `victim` is another user, whose settings enforce. */
  readonly prepare: (stage: Scene, mallory: SceneUser, victim: SceneUser) => Promise<void> | void;
}

const secret = 'only the victim may read this';

const settingsOf = ({ home }: SceneUser): string => `${home}/.config/curfew/settings.json`;
const stateOf = ({ home }: SceneUser): string => `${home}/.local/state/curfew`;

const link = (stage: Scene, { uid }: SceneUser, to: string, path: string): void => {
  stage.folder(path.slice(0, path.lastIndexOf('/')));
  symlinkSync(to, stage.outside(path));
  lchownSync(stage.outside(path), uid, uid);
};

const pipe = async (stage: Scene, path: string): Promise<void> => {
  stage.folder(path.slice(0, path.lastIndexOf('/')));
  const pid = await stage.first.start({
    file: '/usr/bin/mkfifo',
    argv: ['mkfifo', path],
    env: stage.userEnvironment(),
  });
  await stage.first.ended(pid);
};

/** Homes of which a child still makes what it can. */
const watched: readonly Hostile[] = [
  { what: 'settings that are a pipe', prepare: (stage, mallory) => pipe(stage, settingsOf(mallory)) },
  {
    what: 'settings that are a link to what only root may read',
    prepare: (stage, mallory) => {
      stage.write('/etc/secret', secret, 0o600);
      link(stage, mallory, '/etc/secret', settingsOf(mallory));
    },
  },
  {
    what: 'settings that are a link to another user’s',
    prepare: (stage, mallory, victim) => link(stage, mallory, settingsOf(victim), settingsOf(mallory)),
  },
  {
    what: 'a ledger that is a link to another user’s',
    prepare: (stage, mallory, victim) =>
      link(stage, mallory, `${stateOf(victim)}/ledger.db`, `${stateOf(mallory)}/ledger.db`),
  },
  {
    what: 'a history that is a link to the account database',
    prepare: (stage, mallory) => link(stage, mallory, '/etc/passwd', `${stateOf(mallory)}/history.db`),
  },
  {
    what: 'a ledger that is a pipe',
    prepare: (stage, mallory) => pipe(stage, `${stateOf(mallory)}/ledger.db`),
  },
  {
    what: 'logs that are a link to another user’s home',
    prepare: (stage, mallory, victim) => link(stage, mallory, victim.home, `${stateOf(mallory)}/logs`),
  },
  {
    what: 'a megabyte of settings',
    prepare: (stage, mallory) => void stage.write(settingsOf(mallory), `{"rules":[${'{},'.repeat(500_000)}{}]}`, 0o600),
  },
];

/** Homes in which nothing is believed. */
const refused: readonly Hostile[] = [
  {
    what: 'that others can write',
    prepare: (stage, mallory) => chmodSync(stage.outside(mallory.home), 0o777),
  },
  {
    what: 'that is another user’s',
    prepare: (stage, mallory, victim) =>
      void stage.write('/etc/passwd', stage.read('/etc/passwd').replace(`:${mallory.home}:`, `:${victim.home}:`)),
  },
  {
    what: 'that is missing',
    prepare: (stage, mallory) => renameSync(stage.outside(mallory.home), stage.outside('/tmp/users/away')),
  },
  {
    what: 'that is a link to root’s',
    prepare: (stage, mallory) => {
      renameSync(stage.outside(mallory.home), stage.outside('/tmp/users/away'));
      stage.folder('/tmp/users/of-root');
      link(stage, mallory, '/tmp/users/of-root', mallory.home);
    },
  },
];

interface Played {
  readonly stage: Scene;
  readonly mallory: SceneUser;
  readonly job: Identity;
}

/**
 * Plays a hostile home beside a user whose settings enforce: that user's leftover must be ended as
 * always, and the victim's files and root's must be as they were.
 */
const played =
  ({ prepare }: Hostile, expectIt: (played: Played & { readonly said: () => string }) => Promise<void>) =>
  async (stage: Scene): Promise<void> => {
    await ownEtc(stage);
    const [victim, mallory] = addUsers(stage, 'victim', 'mallory');
    if (victim === undefined || mallory === undefined) throw new Error('two users');
    settle(stage, victim, { ...quick, mode: 'enforce' });
    const own = await agentWithJob(stage, victim, 'sleep 3621 | cat');
    const claude = await FakeClaude.start(stage, { user: mallory });
    const { shell: job } = await claude.bash('sleep 3622 | cat');
    mkdirSync(stage.outside(stateOf(mallory)), { recursive: true });
    give(stage, mallory.home, mallory.uid);
    await prepare(stage, mallory, victim);
    const before = stage.read('/etc/passwd');
    const service = await startService(stage);
    await stage.until('the victim’s job is seen', () => statusOf(stage, victim).includes('1 job'));
    await expectIt({ stage, mallory, job, said: service.stdout });
    await own.claude.crash();
    await claude.crash();
    await stage.until('the victim’s leftover is gone', () => !stage.lives(own.job));
    expect(stage.lives(job)).toBe(true);
    expect(stage.read('/etc/passwd')).toBe(before);
    const strangers = stage
      .contents(victim.home)
      .filter((text) => text.includes('sleep 3622') || text.includes(mallory.home));
    expect(strangers).toEqual([]);
    expect(
      stage.contents(mallory.home.replace('mallory', stage.has(mallory.home) ? 'mallory' : 'away')).join(''),
    ).not.toContain(secret);
    await service.signal('TERM');
    expect((await service.ended()).code).toBe(0);
    expect(children(stage)).toEqual([]);
  };

describe.skipIf(!manyUsers).concurrent(`a hostile home${unlessManyUsers}`, () => {
  for (const hostile of watched)
    test(
      `${hostile.what}: that user’s own Curfew suffers, and no other user`,
      scene(
        played(hostile, async ({ stage, mallory }) => {
          const child = await childOf(stage, mallory);
          expect(uidOf(stage, child.pid)).toBe(mallory.uid);
        }),
      ),
    );

  for (const hostile of refused)
    test(
      `${hostile.what} is not used, and nothing is made in it`,
      scene(
        played(hostile, async ({ stage, mallory, said }) => {
          await stage.until('it is said', () => /mallory .*: the home folder is missing/u.test(said()));
          expect(stage.has(`${mallory.home}/.config`)).toBe(false);
        }),
      ),
    );
});
