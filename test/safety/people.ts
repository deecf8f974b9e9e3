import { randomUUID } from 'node:crypto';
import { existsSync, rmdirSync } from 'node:fs';
import { machineProgram } from '../os/faults/machine-program.ts';
import { shellArguments } from '../os/scene/claude-shell.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { innocent } from '../os/scene/innocents.ts';
import type { Scene } from '../os/scene/scene.ts';
import { isSituation, type Placed, putSituation } from './situations.ts';
import type { InnocentKind, SituationKind, WorldPlan } from './world.ts';

const wrapper = (stage: Scene): string =>
  shellArguments({
    version: '2.1.329',
    home: stage.home,
    command: 'sleep 3600',
    snapshot: 'snapshot-bash-1795232964792-3jn0xa.sh',
    folderSuffix: '3jn0',
    shell: 'bash',
  }).at(-1) ?? '';

/** systemd's own hierarchy, as a machine has it that systemd runs. */
const hierarchies = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup'];

/**
 * Puts a process into the control group of a service, where this machine lets one be made. Inside
 * the scene, because pids are those of who writes them. What it is marked with is of a session that
 * is long gone: without its service it would be a leftover.
 */
const manage = async (stage: Scene, pid: number): Promise<void> => {
  const hierarchy = hierarchies.find((path) => existsSync(`${path}/cgroup.procs`));
  // Control groups are the machine's: a process with the same pid in another namespace may run
  // these tests as well.
  const service = `${hierarchy}/curfew-test-${process.env['CURFEW_TEST_NAMESPACE']}-${names++}.service`;
  await machineProgram(stage, '/bin/sh', '-c', `mkdir ${service} && echo ${pid} > ${service}/cgroup.procs`);
  stage.atEnd(() => rmdirSync(service));
};

let names = 0;

/**
 * Puts one of those on the stage that nothing may happen to; each that can keeps a diary of the
 * signals that it gets.
 */
export const putInnocent = async (stage: Scene, kind: InnocentKind, plan: WorldPlan): Promise<Placed> =>
  isSituation(kind) ? putSituation(stage, kind, plan) : { innocents: [await putProcess(stage, kind)], due: [] };

const putProcess = async (stage: Scene, kind: Exclude<InnocentKind, SituationKind>): Promise<Innocent> => {
  const script = `${kind}-${names++}.js`;
  const env = stage.userEnvironment();
  switch (kind) {
    case 'user-server': {
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      return innocent(stage, { argv: ['node', script], parent: terminal, setpgid: true });
    }
    case 'user-nohup': {
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      const left = await innocent(stage, { argv: ['node', script], parent: terminal, setpgid: true });
      await terminal.exit();
      return left;
    }
    case 'wrapper-in-arguments':
      return innocent(stage, { argv: ['grep', script, '-r', wrapper(stage)], setsid: true });
    case 'editor-with-wrapper':
      return innocent(stage, { argv: ['vim', script, `+${wrapper(stage)}`], setsid: true });
    case 'other-user':
      return innocent(stage, {
        argv: ['node', script],
        setsid: true,
        uid: 65_534,
        env: { ...env, CLAUDECODE: '1', CLAUDE_PID: '4711', CLAUDE_CODE_SESSION_ID: randomUUID() },
      });
    case 'marked-keep':
      return innocent(stage, {
        argv: ['node', script],
        setsid: true,
        env: { ...env, CLAUDECODE: '1', CURFEW_KEEP: '1' },
      });
    case 'exported-marker':
      return innocent(stage, { argv: ['bash', script], setsid: true, env: { ...env, CLAUDECODE: '1' } });
    case 'same-folder':
      return innocent(stage, { argv: ['node', script], setsid: true, cwd: `${stage.home}/project-0` });
    case 'multiplexer':
      return innocent(stage, { argv: ['tmux', script], setsid: true });
    case 'managed': {
      const one = await innocent(stage, {
        argv: ['node', script],
        setsid: true,
        env: { ...env, CLAUDECODE: '1', CLAUDE_PID: '4711', CLAUDE_CODE_SESSION_ID: randomUUID() },
      });
      await manage(stage, one.identity.pid);
      return one;
    }
    case 'twin':
      return innocent(stage, { argv: ['node', 'job-0.js'], setsid: true, cwd: `${stage.home}/project-1` });
  }
};
