import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { removeAgentGroups } from '../../../main/os/containment/agent-groups.ts';
import { isWritable } from '../machine-facts.ts';
import { machineProgram } from '../faults/machine-program.ts';
import { startRecord } from '../agent-start-record.ts';
import { jobWith, reapOrphans, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Where version 2 is mounted beside version 1. */
const unified = '/sys/fs/cgroup/unified';
const canStart = existsSync(`${unified}/cgroup.procs`) && isWritable(unified);
const unless = canStart ? '' : ' (SKIPPED: no control groups of version 2 may be made here)';

/** Moves its calls as Claude Code does on a machine with version 2 alone, and waits for none. */
const agentText = (script: string): string => `#!/bin/bash
group=${unified}$(sed -n 's/^0:://p' /proc/self/cgroup)/../claude-code-bash
call() { (exec setsid sh -c 'echo 0 > "$0/cgroup.procs" && eval "$1"' "$group" "$1") & }
${script}
exec -a claude-rests sleep 3640
`;

/** Starts an agent by `curfew agent` where version 2 alone is mounted. */
const startAgent = async (stage: Scene, script: string) => {
  await machineProgram(stage, '/bin/sh', '-c', 'umount /sys/fs/cgroup/memory /sys/fs/cgroup/pids');
  stage.write('/tmp/scene/path/claude', agentText(script), 0o755);
  const { identity } = await startCurfew(stage, ['agent', '--', 'claude']);
  await stage.find('the agent rests', ({ argv }) => argv[0] === 'claude-rests');
  const [name = ''] = readdirSync(stage.outside('/tmp/curfew-home/agents'));
  const record = startRecord.parse(JSON.parse(stage.read(`/tmp/curfew-home/agents/${name}`)));
  const { id, groups } = record;
  stage.atEnd(() => removeAgentGroups({ id, groups }));
  const calls = groups.find(({ holds }) => holds === 'calls');
  if (calls === undefined) throw new Error('there is no group of tool calls');
  const end = async (): Promise<void> => {
    await stage.first.signal(identity.pid, 'KILL');
    await stage.until('the agent has ended', () => stage.row(identity.pid) === null);
  };
  return { end, calls, record };
};

/** Perl that does not end by TERM. */
const deaf = '$SIG{TERM} = "IGNORE";';

/**
 * A session whose leader waits; below it 20 that fork and exit every 20 ms, each in a process group
 * of its own.
 */
const bomb = `${deaf} $SIG{CHLD} = "IGNORE";
my $leader = $$;
for (1 .. 20) { last unless fork }
sleep 3600 while $$ == $leader;
while (1) { select undef, undef, undef, 0.02; my $pid = fork; exit if $pid; setpgrp if defined $pid }`;

describe.skipIf(!canStart)(`in the group of version 2 that Curfew made for tool calls${unless}`, () => {
  test(
    'a fork bomb ends with its group, at once',
    scene(async (stage) => {
      stage.write('/tmp/work/bomb.pl', bomb);
      const { end, calls } = await startAgent(stage, `call 'exec perl /tmp/work/bomb.pl </dev/null >/dev/null 2>&1'`);
      const isPart = ({ argv }: { readonly argv: readonly string[] }): boolean => argv[1] === '/tmp/work/bomb.pl';
      const root = await stage.find('the bomb', (row) => isPart(row) && row.pid === row.sid);
      await stage.until('it forks', () => stage.table().filter(isPart).length > 10);
      await end();
      expect(jobWith(await scan(stage), root.pid)).toMatchObject({ proof: 'kernel', owner: 'gone' });
      const { incidents } = await reapOrphans(stage, { grace: '1s' });
      expect(incidents).toMatchObject([{ outcome: 'killed' }]);
      const kills = incidents[0]?.signals.filter(({ signal }) => signal === 'KILL') ?? [];
      expect(kills).toMatchObject([{ target: `cgroup ${calls.path}`, result: 'sent' }]);
      expect(kills[0]?.pids.length).toBeGreaterThan(10);
      expect(stage.table().filter(isPart)).toEqual([]);
    }),
  );

  test(
    'one that is left alone is no part of the end; what a Curfew froze that has ended goes on, and no other',
    scene(async (stage) => {
      stage.write('/tmp/work/deaf.pl', `${deaf} sleep 3600`);
      const left = 'exec perl /tmp/work/deaf.pl </dev/null >/dev/null 2>&1';
      const { end, calls, record } = await startAgent(stage, `call '${left}'\ncall 'CURFEW_KEEP=1 ${left} keep'`);
      const [due, kept] = [
        await stage.find('what is due', ({ argv }) => argv[1] === '/tmp/work/deaf.pl' && argv.length === 2),
        await stage.find('what is kept', ({ argv }) => argv[2] === 'keep'),
      ];
      const own = bystander(stage, 'kept', kept.pid);
      await end();

      const state = (): string => stage.read(`${calls.folder}/cgroup.freeze`).trim();
      const freeze = (): Promise<void> =>
        machineProgram(stage, '/bin/sh', '-c', `echo 1 > ${calls.folder}/cgroup.freeze`);
      const note = `/tmp/curfew-home/agents/${record.id}.frozen`;
      const noteOf = (pid: number, startTicks: number): string =>
        JSON.stringify({
          folder: calls.folder,
          host: hostname(),
          process: { bootId: record.process.bootId, pid, startTicks },
        });
      await freeze();
      await scan(stage);
      expect(state()).toBe('1');
      stage.write(note, noteOf(1, Number(stage.identity(1).start)));
      await scan(stage);
      expect([state(), stage.has(note)]).toEqual(['1', true]);
      stage.write(note, noteOf(record.process.pid, record.process.startTicks));
      await scan(stage);
      expect([state(), stage.has(note)]).toEqual(['0', false]);

      const { incidents } = await reapOrphans(stage, { grace: '1s' });
      const signals = incidents.flatMap((one) => one.signals.map(({ signal, target }) => `${signal} ${target}`));
      expect(signals).toEqual([`TERM group ${due.pid}`, `KILL group ${due.pid}`]);
      expect([state(), stage.row(due.pid)]).toEqual(['0', null]);
      expectUntouched(stage, [own]);
    }),
  );
});
