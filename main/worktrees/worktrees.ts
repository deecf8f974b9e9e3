import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import { judgeLock } from '../../app/locks/judge-lock.ts';
import { isInFolder } from '../../app/paths/path.ts';
import { filesIn, type ListedWorktree, listedWorktrees } from '../../app/worktrees/git-answers.ts';
import { declaredBy, hasForm, orchestratorPlaces, type ReadList } from '../../app/worktrees/orchestrators.ts';
import { type KeepReason, keepReasons, type WorktreeFacts } from '../../app/worktrees/worktree.ts';
import type { Remover } from '../../app/history/removal.ts';
import type { Said } from '../../app/format/said.ts';
import { notAsShown, sayKeep, worktreeIsFree } from '../../app/text/abandoned/worktrees.ts';
import { say } from '../../app/text/form.ts';
import type { Engine } from '../engine/engine.ts';
import { type LockFile, locksOf } from '../locks/find-locks.ts';
import { allSeen, folderUsers, hasOpenSession, lockWorld, type Witness, witnessOf } from '../locks/witness.ts';
import type { Look } from '../observing/look.ts';
import { changedMsOf, filesHere } from '../os/files/small-file.ts';
import { leadsToOtherMachine, realPath } from '../os/files/other-machine.ts';
import { entryId } from '../os/files/entry-id.ts';
import { isOnLocalDisk } from '../os/process-uses.ts';
import { knownFolders } from '../sweep/known-folders.ts';
import { type Repository, repositoriesOf, type Worktree } from '../repositories/repository.ts';
import { placesOf } from '../sweep/places.ts';
import { copiedAmong } from './copies.ts';
import { readLists } from './declared.ts';
import { type Git, newPatience, openGit, type Patience } from './git.ts';
import { measure } from './measure.ts';
import { counted, isInOperation, onlyInLogOf, textOf } from './own-refs.ts';
import { resumableIn } from './resumable.ts';

type TreeEngine = Pick<Engine, 'source' | 'history' | 'observer' | 'home' | 'log' | 'places' | 'putForwardMs'>;

/** A linked worktree, with why it stays. */
export interface JudgedWorktree {
  /** One made anew or worked in has another, and one that stays for other reasons. */
  readonly id: string;
  readonly facts: WorktreeFacts;
  /** Empty: git may remove it. */
  readonly keeps: readonly KeepReason[];
  /** Where git is asked about it: the main worktree, or the repository. */
  readonly main: string;
  /** Its path as git lists it: git takes another one for any that ends so. */
  readonly listed: string;
}

const mainOf = ({ common, worktrees }: Repository): string => worktrees.find(({ isMain }) => isMain)?.folder ?? common;

/** Folders of one form that are looked into. */
const maxFolders = 2_000;

const foldersAt = (base: string, form: readonly string[], uid: number): readonly string[] => {
  const [step, ...rest] = form;
  if (step === undefined) return [base];
  if (step !== '*') return foldersAt(join(base, step), rest, uid);
  if (leadsToOtherMachine(base)) return [];
  try {
    // Another user could fill it without end.
    if (statSync(base).uid !== uid) return [];
    const entries = readdirSync(base, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.slice(0, maxFolders).flatMap(({ name }) => foldersAt(join(base, name), rest, uid));
  } catch {
    // It is not there, or not the user's to read.
    return [];
  }
};

interface OriginPlace {
  readonly name: string;
  readonly base: string;
  readonly form: readonly string[];
}

/** Where agents and orchestrators keep worktrees; those in repositories are told by these. */
const originPlaces = (engine: TreeEngine, uid: number, repositories: readonly string[]): readonly OriginPlace[] => {
  const home = realPath(engine.home) ?? engine.home;
  const bases = { home: [home], root: ['/'], repository: repositories };
  const ofAgents = agentIds.flatMap((agent: AgentId): readonly OriginPlace[] => {
    const { leftFiles } = dossiers[agent];
    const forms =
      leftFiles === 'none' ? [] : leftFiles.filter((form) => form.may !== 'remove' && form.heap === 'worktrees');
    const input = { home, uid, environments: [], seen: [], projects: repositories };
    return forms.flatMap((form) =>
      placesOf(form.place, agent, input).flatMap((base) =>
        // An agent keeps one in a folder of its name, or in one for each task.
        [['*'], ['*', '*']].map((more) => ({
          name: signatureOf(agent).name,
          base,
          form: [...form.path.map(String), ...more],
        })),
      ),
    );
  });
  const ofOrchestrators = orchestratorPlaces.flatMap(({ name, place, path }) =>
    bases[place].map((base) => ({ name, base, form: path })),
  );
  return [...ofAgents, ...ofOrchestrators];
};

const mayBeThere = (path: string): boolean => filesHere.stamp(path).state !== 'absent';

const unpushedOf = (git: Git, branch: string | null): number | null =>
  counted(
    git.text(
      'rev-list',
      '--count',
      'HEAD',
      '--not',
      '--remotes',
      ...(branch === null ? [] : [`--exclude=refs/heads/${branch}`]),
      '--glob=refs/heads/*',
      '--',
    ),
  );

/** The log of the stash: `OLD NEW NAME <MAIL> TIME ZONE\tSUBJECT` in each line. */
const stashesOf = (common: string, branch: string | null, uid: number): number => {
  const subjects = textOf(join(common, 'logs/refs/stash'), uid).matchAll(/\t(?:WIP on|On) (?<branch>[^:\n]+):/gu);
  return [...subjects].filter(({ groups }) => groups?.['branch'] === branch).length;
};

interface Scene {
  readonly engine: TreeEngine;
  readonly uid: number;
  readonly witness: Witness;
  readonly places: readonly OriginPlace[];
  readonly lists: readonly ReadList[];
  readonly mayBeResumed: (path: string) => boolean;
  readonly isCopied: (worktree: Worktree) => boolean;
}

const nothingCounted = { bytes: 0, isCounted: false, hasNested: false } as const;

const filesOf = (git: Git, folder: string): WorktreeFacts['files'] => {
  // What a configuration calls its worktree may be another folder.
  const top = git.text('rev-parse', '--show-toplevel')?.replace(/\n$/u, '');
  if (top !== folder) return null;
  const status = git.text(
    'status',
    '--porcelain',
    '-z',
    '--untracked-files=all',
    '--ignored=matching',
    // In a submodule git would run what that one's own configuration names; it keeps anyway.
    '--ignore-submodules=dirty',
  );
  const index = git.text('ls-files', '-z', '-v', '--stage');
  return status === null || index === null ? null : filesIn(status, index, (path) => mayBeThere(join(folder, path)));
};

/** A repository with what is asked of it for each worktree. */
interface KnownRepository {
  readonly repository: Repository;
  readonly byPath: ReadonlyMap<string, Worktree>;
  readonly locks: ReadonlyMap<string, LockFile>;
  readonly patience: Patience;
}

const toKnown = (repository: Repository, uid: number): KnownRepository => ({
  repository,
  byPath: new Map(
    repository.worktrees.flatMap((one) => (one.folder === null ? [] : [[realPath(one.folder) ?? one.folder, one]])),
  ),
  locks: new Map(
    locksOf(repository, uid).flatMap((one) => (one.lock.kind === 'worktree' ? [[one.lock.folder, one]] : [])),
  ),
  patience: newPatience(),
});

/** An orchestrator lists a worktree by the path by which it made it, most often below the home. */
const spellingsOf = (listed: string, path: string, home: string): readonly string[] => {
  const real = realPath(home);
  return [listed, ...(real !== null && isInFolder(path, real) ? [join(home, relative(real, path))] : [])];
};

const factsOf = (
  listed: ListedWorktree,
  { repository, byPath, locks, patience }: KnownRepository,
  scene: Scene,
): WorktreeFacts => {
  const { engine, uid, witness, places, lists } = scene;
  const { branch, head } = listed;
  const path = realPath(listed.path) ?? listed.path;
  const worktree = byPath.get(path);
  const isMissing = realPath(listed.path) === null;
  const git = isMissing || worktree === undefined ? null : openGit(path, [], patience);
  const lock = worktree?.folder == null ? undefined : locks.get(worktree.folder);
  const { gitFolder } = worktree ?? { gitFolder: repository.common };
  const origin = places.find(({ base, form }) => hasForm(path, base, form))?.name ?? null;
  return {
    path,
    repository: repository.common,
    origin,
    declaredBy: declaredBy(path, spellingsOf(listed.path, path, engine.home), origin, lists),
    branch,
    head,
    isMissing,
    usedMs: Math.max(
      ...['HEAD', 'index', 'gitdir', 'logs/HEAD'].map((name) => changedMsOf(join(gitFolder, name)) ?? 0),
    ),
    ...(git === null ? nothingCounted : measure(path, uid)),
    // Of two folders with one entry git knows one, and removes what the other needs.
    files: git === null || worktree === undefined || scene.isCopied(worktree) ? null : filesOf(git, path),
    inOperation: isInOperation(gitFolder),
    unpushed: git === null ? null : unpushedOf(git, branch),
    onlyInLog:
      git === null || worktree === undefined ? null : onlyInLogOf(git, worktree, repository.common, branch, uid),
    stashes: stashesOf(repository.common, branch, uid),
    locked:
      listed.locked === null
        ? null
        : {
            reason: listed.locked,
            verdict:
              lock === undefined
                ? { state: 'unknown', reason: 'not-all-seen', pids: [] }
                : judgeLock(lock.lock, lockWorld(lock, witness, false)),
          },
    users: folderUsers(path, witness),
    allSeen: allSeen(path, witness),
    localDisk: isOnLocalDisk(path),
    openSession: hasOpenSession(path, witness),
    mayBeResumed: scene.mayBeResumed(path),
  };
};

/** Also of the reasons that give way to the user: only those that were shown do. */
const idOf = (facts: WorktreeFacts, nowMs: number): string => {
  const { path, repository, branch, head, usedMs } = facts;
  return entryId('worktree', path, repository, branch, head, usedMs, keepReasons(facts, nowMs, false));
};

const judgedIn = (
  repository: Repository,
  scene: Scene,
  picked: ReadonlySet<string>,
  only: string | null,
): readonly JudgedWorktree[] => {
  const asked = toKnown(repository, scene.uid);
  const listed = openGit(mainOf(repository), [], asked.patience)?.text('worktree', 'list', '--porcelain', '-z');
  const all = listedWorktrees(listed ?? '');
  const paths = all.map(({ path }) => realPath(path) ?? path);
  // Who names worktrees means these, and git is asked several times of each.
  const meant = only === null ? paths.filter((path, index) => index > 0 && picked.has(path)) : [only];
  return all.flatMap((one, index): JudgedWorktree[] => {
    // The main one is none that could go.
    if (index === 0 || (meant.length > 0 && !meant.includes(paths[index] ?? ''))) return [];
    const facts = factsOf(one, asked, scene);
    const around = all.some((_, other) => other !== index && other !== 0 && isInFolder(paths[other] ?? '', facts.path));
    const found = around ? { ...facts, hasNested: true } : facts;
    const { look, putForwardMs } = scene.witness;
    const nowMs = look.table.takenAtMs - putForwardMs(found.usedMs);
    const keeps = keepReasons(found, nowMs, picked.has(facts.path));
    return [{ id: idOf(found, nowMs), facts: found, keeps, main: mainOf(repository), listed: one.path }];
  });
};

/**
 * Returns the linked worktrees of known repositories, and of those in the folders of agents and
 * orchestrators; or of these folders alone. Changes nothing.
 * @param picked real paths of worktrees that the user named
 * @param only this worktree alone; null: all
 * @throws ProcessTableUnreadable, StoreFailure
 */
export const findWorktrees = (
  engine: TreeEngine,
  folders: readonly string[] | null,
  picked: ReadonlySet<string>,
  look: Look = engine.observer.look(),
  only: string | null = null,
): readonly JudgedWorktree[] => {
  const { uid } = look.table;
  const known = folders ?? [
    ...knownFolders(engine, look),
    ...originPlaces(engine, uid, []).flatMap(({ base, form }) => foldersAt(base, form, uid)),
  ];
  const repositories = repositoriesOf(known, uid);
  if (repositories.every(({ worktrees }) => worktrees.length < 2)) return [];
  const mains = repositories.flatMap(({ worktrees }) => worktrees.flatMap(({ folder }) => folder ?? []));
  const witness = witnessOf(look, engine.source.pidNamespace, engine.putForwardMs);
  const scene = {
    engine,
    uid,
    witness,
    places: originPlaces(engine, uid, mains),
    lists: readLists(engine.home),
    mayBeResumed: resumableIn(engine, look),
    isCopied: copiedAmong(knownFolders(engine, look), uid),
  };
  return repositories.flatMap((repository) => judgedIn(repository, scene, picked, only));
};

/** What became of a worktree that was to go: both null where git removed it. */
export interface RemovedWorktree {
  readonly facts: WorktreeFacts;
  /** Why it stays by now. */
  readonly keep: KeepReason | 'not-as-shown' | null;
  /** Why git did not remove it, in its words. */
  readonly failed: string | null;
}

/** Says why a worktree is still there; null: it is not. */
export const worktreeProblem = ({ facts, keep, failed }: RemovedWorktree): Said | null =>
  keep === null ? failed : keep === 'not-as-shown' ? notAsShown : sayKeep(keep, facts);

/**
 * Has git remove worktrees that nothing keeps, each after a second look found the same of it: git
 * unlocks, and removes without force, so it refuses what has changed.
 * @throws ProcessTableUnreadable, StoreFailure
 */
export const removeWorktrees = (
  engine: TreeEngine & Pick<Engine, 'recordRemovals'>,
  due: readonly JudgedWorktree[],
  picked: ReadonlySet<string>,
  by: Remover,
): readonly RemovedWorktree[] =>
  due.map(({ id, facts, main }): RemovedWorktree => {
    const [again] = findWorktrees(engine, [main], picked, engine.observer.look(), facts.path);
    const [keep = null] = again?.keeps ?? ['missing'];
    if (keep !== null) return { facts, keep, failed: null };
    if (again?.id !== id) return { facts, keep: 'not-as-shown', failed: null };
    const git = openGit(main, [facts.path]);
    if (git === null) return { facts, keep: 'not-read', failed: null };
    const { path, branch, head, locked } = facts;
    const { listed } = again;
    if (locked !== null) git.change('worktree', 'unlock', listed);
    const failed = git.change('worktree', 'remove', listed);
    if (failed !== null && locked !== null) git.change('worktree', 'lock', '--reason', locked.reason, listed);
    engine.log.info(failed === null ? 'worktree removed' : 'worktree not removed', { path, branch, head, failed });
    if (failed === null)
      engine.recordRemovals([
        {
          atMs: Date.now(),
          kind: 'worktree',
          what: say('worktree'),
          path,
          files: 1,
          bytes: facts.bytes,
          why: worktreeIsFree(facts),
          by,
        },
      ]);
    return { facts, keep: null, failed };
  });
