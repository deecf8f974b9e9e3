import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scanDocumentSchema, unscannedDocumentSchema } from '../../../app/contract/views/scan.ts';
import { FakeClaude } from '../scene/claude.ts';
import { StageError } from '../scene/stage-error.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

/** How the machines of a fleet fail. `slow` ones take three seconds longer, and answer. */
const config = `Host slow*
  HostName 127.0.0.1
  ProxyCommand sh -c "sleep 3; exec busybox nc 127.0.0.1 2222"
Host silent*
  HostName 127.0.0.1
  Port 2223
Host closed*
  HostName 127.0.0.1
  Port 2
Host changed*
  HostName 127.0.0.1
  Port 2222
  HostKeyAlias changed
Host asks*
  HostName 127.0.0.1
  Port 2222
  IdentityFile none
  PreferredAuthentications password
Host *
  HostName 127.0.0.1
  Port 2222
`;

const open = async (machine: FarMachine): Promise<void> => {
  await machine.startSilent(2223);
  machine.configure(config.replace('IdentityFile none', `IdentityFile ${machine.home}/.ssh/no-such-key`));
  const known = join(machine.home, '.ssh/known_hosts');
  const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8X1gYV0wG1TQ8bZkQm3mJ1m8yqkq1Yw4mCwq0n3y5R';
  writeFileSync(known, `changed ${other}\n`, { flag: 'a' });
};

const good = Array.from({ length: 9 }, (_, at) => `web${at}`);
const bad = { silent1: 'silent', closed1: 'unreachable', changed1: 'changed-key', asks1: 'denied' } as const;

describe.skipIf(missing !== null)(`a scan of many machines ${skipped}`, () => {
  test(
    'gives a document a line for each, of those that are slow, too; those that can’t be scanned spoil no other and are named',
    far(async (machine) => {
      await open(machine);
      const claude = await FakeClaude.start(machine.stage);
      const call = await claude.bash('sleep 7778 | cat');
      const list = join(machine.home, 'hosts');
      writeFileSync(list, `# build machines\n${good.join('\n')}\nslow1 # behind a modem\n\n`);
      const named = Object.keys(bad).flatMap((host) => ['--host', host]);
      const run = await machine.run(
        ['scan', '--json', ...named, '--hosts-from', list, '--parallel', '5', '--host-limit', '20'],
        'silence',
      );
      const documents = run.stdout
        .split('\n')
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line));
      const failed = documents.flatMap((one) => unscannedDocumentSchema.safeParse(one).data ?? []);
      const scanned = documents.flatMap((one) => scanDocumentSchema.safeParse(one).data ?? []);
      const inVain = failed.filter(({ host, problem }) => !(host in bad) && problem.code === 'silent');
      if (inVain.length > 0) throw new StageError(`waited in vain: no answer in time: ${run.stderr}`);
      expect(Object.fromEntries(failed.map(({ host, problem }) => [host, problem.code]))).toEqual(bad);
      expect(scanned.map(({ host }) => host).toSorted()).toEqual(['slow1', ...good].toSorted());
      for (const { jobs } of scanned) expect(jobs.map(({ root }) => root.pid)).toContain(call.shell.pid);
      expect(documents).toHaveLength(failed.length + scanned.length);
      expect(run.code).toBe(1);
      const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
      expect(last).toContain('4 of 14 machines could not be scanned');
      for (const host of Object.keys(bad)) expect(last).toContain(host);
    }),
  );

  test(
    'for people each has its name above its table; the settings name them; all that answer make it exit 0',
    far(async (machine) => {
      await open(machine);
      expect((await machine.run(['settings', 'set', 'hosts', 'web1 web2'])).code).toBe(0);
      const run = await machine.run(['scan', '--all-hosts', '--host', 'web3']);
      // A slow machine is told how far it is.
      const said = run.stderr
        .split('\n')
        .filter((line) => line !== '' && !/^curfew: \d of 3 machines scanned$/u.test(line));
      expect({ code: run.code, said }).toEqual({ code: 0, said: [] });
      expect(
        run.stdout
          .split('\n')
          .filter((line) => /^web\d$/u.test(line))
          .toSorted(),
      ).toEqual(['web1', 'web2', 'web3']);
    }),
  );

  test(
    'a list with a line that is no name, no machine at all, or a user’s number with several is a wrong call',
    far(async (machine) => {
      const list = join(machine.home, 'hosts');
      writeFileSync(list, 'web1\n-oProxyCommand=id\n');
      const wrong = await machine.run(['scan', '--hosts-from', list]);
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain('line 2');
      expect((await machine.run(['scan', '--all-hosts'])).code).toBe(2);
      expect((await machine.run(['scan', '--host', 'web1', '--host', 'web2', '--uid', '5'])).code).toBe(2);
      const gone = await machine.run(['scan', '--hosts-from', join(machine.home, 'none')]);
      expect(gone.code).toBe(1);
    }),
  );
});
