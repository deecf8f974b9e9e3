import { dirname, join } from 'node:path';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { ContainerWitness, Witness } from '../../app/jobs/lineage/witness.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { SessionDirectory } from '../../app/model/session.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { imageIn, monitorIn, type ContainerMonitor } from '../../app/left-open/container.ts';
import { asPid } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import { programOf } from '../../app/programs/program.ts';
import { filesHere } from '../os/files/small-file.ts';
import type { ProcessSource } from '../os/processes/source.ts';

interface Monitor extends ContainerMonitor {
  readonly row: ProcessRow;
}

interface Wrapper extends Pick<ContainerWitness, 'agent' | 'session' | 'project' | 'owner'> {
  readonly row: ProcessRow;
}

type Source = Pick<ProcessSource, 'facts' | 'probing'>;

interface Seen {
  readonly table: ProcessTable;
  readonly directory: Pick<SessionDirectory, 'sessions'>;
  readonly drafts: readonly Draft[];
  /** What earlier looks saw, and what this one did. */
  readonly before: readonly Witness[];
  readonly witnesses: readonly Witness[];
}

/** Monitors of the user's podman. Docker's are root's, and its clients hold no end of them. */
const monitorsIn = ({ table }: Seen): readonly Monitor[] =>
  [...table.rows.values()].flatMap((row) => {
    if (row.comm !== 'conmon' || row.uid !== table.uid || hasEnded(row)) return [];
    const monitor = monitorIn(row.argv);
    return monitor?.engine === 'podman' ? [{ ...monitor, row }] : [];
  });

const refOf = ({ pid, startTicks }: ProcessRef): ProcessRef => ({ pid, startTicks });

const sessionAt = ({ directory }: Seen, agent: AgentId, { pid, startTicks }: ProcessRef) =>
  directory.sessions.find(
    (one) => one.agent === agent && one.process?.pid === pid && one.process.startTicks === startTicks,
  );

/** Processes of podman that are parts of servers, of living and of closed sessions. */
const wrappersIn = (seen: Seen): readonly Wrapper[] => {
  const { table, drafts, witnesses } = seen;
  const found = new Map<number, Wrapper>();
  for (const { server, members, agent, session, project, owner } of drafts) {
    if (server === undefined) continue;
    const process = owner.state === 'live' && owner.process !== null ? refOf(owner.process) : null;
    for (const { row } of members)
      found.set(row.pid, { row, agent, session, project, owner: owner.state === 'gone' ? 'gone' : process });
  }
  for (const one of witnesses) {
    if (one.kind !== 'server' || found.has(one.pid)) continue;
    const row = table.rows.get(asPid(one.pid));
    if (row === undefined || !isSameLivingProcess(row, one)) continue;
    const { id = null, project = null } = sessionAt(seen, one.agent, one.owner) ?? {};
    found.set(one.pid, { row, agent: one.agent, session: id, project, owner: refOf(one.owner) });
  }
  return [...found.values()].filter(({ row }) => programOf(row).names.has('podman'));
};

/** By the list beside the containers' folders: `<storage>/<id>/userdata` is its bundle. */
const imageOf = ({ bundle, container }: Monitor, uid: number): string | null => {
  if (bundle === null) return null;
  const list = filesHere.text(join(dirname(dirname(bundle)), 'containers.json'), uid);
  return list.state === 'read' ? imageIn(list.value, container) : null;
};

const attached = (source: Source, monitors: readonly Monitor[], wrappers: readonly Wrapper[]) => {
  const facts = source.facts([...monitors, ...wrappers].map(({ row }) => row));
  const asked = monitors.map(({ row }) => ({
    pid: row.pid,
    files: facts.get(row.pid)?.openFiles ?? null,
    ports: new Set<number>(),
  }));
  const clients = source.probing?.possibleClients(asked) ?? [];
  return monitors.flatMap((monitor, at) => {
    const peers = new Set(clients[at]?.flatMap((client) => client.peers ?? []).map((inode) => `socket:[${inode}]`));
    const wrapper = wrappers.find(
      ({ row }) => facts.get(row.pid)?.openFiles?.some(({ target }) => peers.has(target)) === true,
    );
    return wrapper === undefined ? [] : [{ monitor, wrapper }];
  });
};

/**
 * Returns the containers to which a server of a session is attached (`podman run -i`), by the
 * kernel's table of sockets, and those of earlier looks, to be remembered. Asks only where a
 * monitor runs of which nothing is known yet. Starts no program.
 * @throws ProcessTableUnreadable
 */
export const noteContainers = (source: Source, seen: Seen): readonly ContainerWitness[] => {
  const monitors = monitorsIn(seen);
  if (monitors.length === 0) return [];
  const isOf = (one: ProcessRef, { row }: Monitor): boolean =>
    one.pid === Number(row.pid) && one.startTicks === row.startTicks;
  const known = seen.before
    .filter((one) => one.kind === 'container')
    .filter((one) => monitors.some((m) => isOf(one, m)));
  const open = monitors.filter((monitor) => !known.some((one) => isOf(one, monitor)));
  const wrappers = open.length === 0 ? [] : wrappersIn(seen);
  if (wrappers.length === 0) return known;
  const found = attached(source, open, wrappers).map(({ monitor, wrapper: { row, ...of } }): ContainerWitness => ({
    kind: 'container',
    ...refOf(monitor.row),
    container: monitor.container,
    name: monitor.name ?? monitor.container.slice(0, 12),
    image: imageOf(monitor, seen.table.uid),
    ...of,
    wrapper: refOf(row),
  }));
  return [...known, ...found];
};

/** Returns the jobs, with its container beside each that is attached to one. */
export const withContainers = <Judged extends { readonly job: Job }>(
  jobs: ReadonlyMap<JobId, Judged>,
  containers: readonly ContainerWitness[],
): ReadonlyMap<JobId, Judged> => {
  if (containers.length === 0) return jobs;
  return new Map(
    [...jobs].map(([id, judged]) => {
      const { members } = judged.job;
      const one = containers.find(({ wrapper }) =>
        members.some(({ row }) => row.pid === wrapper.pid && row.startTicks === wrapper.startTicks),
      );
      if (one === undefined) return [id, judged];
      const container = { id: one.container.slice(0, 12), name: one.name, image: one.image };
      return [id, { ...judged, job: { ...judged.job, container } }];
    }),
  );
};
