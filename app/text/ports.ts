import type { PortClient, PortHolder, PortView } from '../contract/views/port-view.ts';
import { formatAge } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import { agentName } from './agent-name.ts';
import { listed, say } from './form.ts';
import { stateSaid } from './states.ts';

/** A holder in a line, and what is known of it below. */
export interface SaidHolder {
  readonly text: Said;
  readonly details: readonly Said[];
}

/** Returns why no process is named; null where one is. */
export const sayNoHolder = ({ port, inUse, holders }: PortView): Said | null => {
  if (holders.length > 0) return null;
  if (inUse === null)
    return say('This system does not tell what listens on port {port}; none of your processes is seen to.', { port });
  return inUse
    ? say('Port {port} is taken by a process that you can’t see: of another user, or in a container.', { port })
    : say('Port {port} is free.', { port });
};

const sayFolder = ({ folder: path, folderDeleted, worktree }: PortHolder): Said | null => {
  if (path === null) return null;
  const folder = visibleText(path);
  if (folderDeleted) return say('in {folder}, which has been deleted', { folder });
  if (worktree === null || worktree.branch === null) return say('in {folder}', { folder });
  const branch = visibleText(worktree.branch);
  return worktree.linked
    ? say('in {folder}, branch {branch} in a worktree of its own', { folder, branch })
    : say('in {folder}, branch {branch}', { folder, branch });
};

const sayJob = (job: NonNullable<PortHolder['job']>, reasons: readonly string[]): Said => {
  const { id, agent, session } = job;
  const figures = {
    job: id,
    agent: agentName(agent),
    state: stateSaid(job.state),
    why: reasons.map(visibleText).join(' · '),
  };
  return session === null
    ? say('job {job} of {agent}, {state}: {why}', figures)
    : say('job {job} of {agent}, session {session}, {state}: {why}', { ...figures, session: visibleText(session) });
};

const sayClient = ({ pid, name, from }: PortClient): Said =>
  pid !== null && name !== null
    ? say('{name} (process {pid})', { name: visibleText(name), pid })
    : from === null
      ? say('a process that can’t be seen')
      : say('from {address}', { address: visibleText(from) });

/**
 * Says which process listens on a port, of which job and worktree, and how to start it again.
 * @param here the worktree in which it is asked; null: none
 * @param reasons why its job was judged so, in the language of the command line
 */
export const sayHolder = (
  view: PortView,
  holder: PortHolder,
  here: string | null,
  reasons: readonly string[] = holder.job?.text ?? [],
): SaidHolder => {
  const { job, again, worktree } = holder;
  const folder = sayFolder(holder);
  return {
    text: say('{name} (process {pid}, {age} old) listens on port {port}: {command}', {
      name: visibleText(holder.name),
      pid: holder.pid,
      age: formatAge(holder.ageSeconds),
      port: view.port,
      command: visibleText(job?.command ?? holder.command),
    }),
    details: [
      job === null ? say('no job of an agent, so Curfew does not end it') : sayJob(job, reasons),
      ...(folder === null ? [] : [folder]),
      ...(here === null || worktree === null || worktree.folder === here
        ? []
        : [say('in another worktree than you: you are in {folder}', { folder: visibleText(here) })]),
      view.clients.length === 0
        ? say('nothing is connected that could be seen')
        : say('connected: {clients}', { clients: listed(view.clients.map(sayClient), ', ') }),
      ...(again === null ? [] : [say('again: {command}', { command: visibleText(again) })]),
    ],
  };
};
