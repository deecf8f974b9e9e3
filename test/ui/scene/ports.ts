import type { PortHolder, PortList } from '../../../app/contract/views/port-view.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { inTerminal } from '../../../app/format/in-terminal.ts';
import { safe } from './safe.ts';

const ofUser: PortHolder = {
  pid: 812,
  name: safe('postgres'),
  command: safe('postgres -D /home/mara/data'),
  ageSeconds: 5 * 86_400,
  folder: safe('/home/mara/data'),
  folderDeleted: false,
  worktree: null,
  again: safe('cd /home/mara/data && postgres -D /home/mara/data'),
  job: null,
};

/** What listens in a scene: its jobs with ports, and a database of the user's. */
export const scenePorts = ({ jobs, at }: Snapshot): PortList => ({
  schema: 1,
  ports:
    jobs.length === 0
      ? []
      : [
          ...jobs.flatMap((job) =>
            job.holds.ports.map((port) => ({
              schema: 1 as const,
              port,
              inUse: true,
              holders: [
                {
                  pid: job.root.pid,
                  name: safe('node'),
                  command: job.command,
                  ageSeconds: (Date.parse(at) - Date.parse(job.startedAt)) / 1000,
                  folder: job.project,
                  folderDeleted: false,
                  worktree:
                    job.project === null ? null : { folder: job.project, branch: safe('fix/login'), linked: true },
                  again: safe(inTerminal(job.command, job.project)),
                  job: {
                    id: job.id,
                    agent: job.agent,
                    session: job.session,
                    state: job.verdict.state,
                    command: job.command,
                    text: job.verdict.reasons.map(({ text }) => text),
                  },
                },
              ],
              clients: [{ from: '127.0.0.1:51320', pid: 901, name: safe('firefox') }],
              locks: [
                {
                  path: safe(`${job.project}/.next/dev/lock`),
                  pid: job.root.pid,
                  state: 'held' as const,
                  reason: 'holder-alive' as const,
                  pids: [job.root.pid],
                },
              ],
            })),
          ),
          { schema: 1 as const, port: 5432, inUse: true, holders: [ofUser], clients: [], locks: [] },
        ],
});
