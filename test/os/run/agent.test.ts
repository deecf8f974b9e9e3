import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { removeAgentGroups } from '../../../main/os/containment/agent-groups.ts';
import { firstVersionFolder } from '../../../main/os/containment/bounds.ts';
import { curfewFile } from '../scene/curfew.ts';
import { isWritable, readableNode } from '../machine-facts.ts';
import { type Home, living, until, withHome, withText } from './curfew-run.ts';
import { Manager, nobody, ownGroup } from './user-manager.ts';
import { recordsIn, type StartRecord } from '../agent-start-record.ts';

const memory = firstVersionFolder('memory');
const pids = firstVersionFolder('pids');
/** Version 2 with both controllers was not seen where this was written. */
const canBound = ownGroup !== null && memory !== null && pids !== null && isWritable(memory) && isWritable(pids);

/** What the tests of this file made, by exact path. */
const made: StartRecord[] = [];
const recordOf = (home: Home): StartRecord => {
  const records = recordsIn(join(home.path, 'curfew'));
  made.push(...records);
  const [record] = records;
  if (records.length !== 1 || record === undefined) throw new Error(`there are ${records.length} records`);
  return record;
};
afterEach(async () => {
  for (const record of made.splice(0)) await until('its groups are removed', () => removeAgentGroups(record));
});

/** Moves its tool calls as Claude Code 2.1.330 does, where the kernel has memory in version 1. */
const agentWith = (home: Home, script: string): string => {
  const file = home.file('claude');
  writeFileSync(
    file,
    `#!/bin/sh
own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
group=$(findmnt -nt cgroup -O memory -o TARGET | head -n 1)$own/claude-code-bash
call() { sh -c 'echo 0 > "$0/cgroup.procs" && exec "$@"' "$group" "$@"; }
${script}
`,
    { mode: 0o755 },
  );
  return file;
};

/** Everything about itself that a command can tell, and that Curfew must leave as it is. */
const facts = `import os, sys, resource, fcntl
status = open('/proc/self/status').read()
print([line for line in status.split('\\n') if line.startswith(('SigB', 'SigI', 'SigC', 'Shd', 'Cap', 'Seccomp', 'NoNew', 'Umask'))])
print(os.getpgrp(), os.getsid(0), os.getppid(), os.getpid() == os.getpgrp(), resource.getrlimit(resource.RLIMIT_NOFILE))
print([fcntl.fcntl(fd, fcntl.F_GETFL) for fd in (0, 1, 2)], sorted(os.listdir('/proc/self/fd')), [os.fsencode(one) for one in sys.argv[1:]])
# bash notes in the variable called _ which program it started itself.
print(sorted(one for one in os.environb.items() if one[0] != b'_'))
print(open('/proc/self/oom_score_adj').read(), os.getcwd(), open('/proc/self/comm').read())`;

describe.skipIf(ownGroup === null)('an agent started by `curfew agent`', () => {
  test(
    'is the process that was started, and finds all as without Curfew',
    withHome(async (home) => {
      writeFileSync(home.file('facts.py'), facts);
      const said = async (before: string): Promise<string> => {
        const script = `ulimit -Sn 512; ${before} python3 facts.py "$(printf 'a\\377b')" '' | cat`;
        const ended = await home.start('bash', ['-c', script], { env: { C: curfewFile, N: readableNode } }).ended;
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        // The shell and its pipe are others each time.
        return ended.stdout.replace(/^\d+ \d+ \d+ /mu, '');
      };
      // Compiled once, so that it opens the same files.
      await said('');
      expect(await said('"$N" "$C" agent --')).toBe(await said(''));
      const going = home.curfew(['agent', '--', 'sh', '-c', 'echo $$; exec sleep 603']);
      const pid = await until('it is there', () => Number(going.stdout()) || null);
      expect(pid).toBe(going.pid);
      await until('it is what it became', () => living(pid)?.args === 'sleep 603');
      const record = recordsIn(join(home.path, 'curfew')).find((one) => one.process.pid === pid);
      expect(String(record?.process.startTicks)).toBe(living(pid)?.start);
      made.push(...recordsIn(join(home.path, 'curfew')));
      going.child.kill('SIGTERM');
      expect((await going.ended).code).toBe(143);
    }),
  );

  test(
    'ends with its own status; a missing one with 127, one that can’t be executed with 126, and makes no group then',
    withHome(async (home) => {
      const scripts = home.file('no-line');
      writeFileSync(scripts, 'exit 9\n', { mode: 0o755 });
      expect((await home.run(['agent', '--', 'sh', '-c', 'exit 77'])).code).toBe(77);
      expect((await home.run(['agent', '--', scripts])).code).toBe(9);
      made.push(...recordsIn(join(home.path, 'curfew')));
      const before = recordsIn(join(home.path, 'curfew')).length;
      for (const [program, code] of [
        ['there-is-no-such-agent', 127],
        [home.file('nothing'), 127],
        ['/etc/passwd', 126],
        ['/etc', 126],
      ] as const)
        expect([program, (await home.run(['agent', '--', program])).code]).toEqual([program, code]);
      expect(recordsIn(join(home.path, 'curfew'))).toHaveLength(before);
    }),
  );

  test(
    'keeps its group when it executes itself anew, and what it starts is in it, also after setsid and a double fork',
    withHome(async (home) => {
      const leaves = `perl -e 'use POSIX; exit if fork; setsid; exit if fork; exec "sleep", "604"'`;
      const going = home.curfew(['agent', '--', 'sh', '-c', `${leaves}; exec sh -c 'exec sleep 605'`]);
      const left = await until('it has left something', () => withText('sleep 604')[0]);
      await until('it is another program', () => living(going.pid)?.args === 'sleep 605');
      const [group] = recordOf(home).groups;
      for (const pid of [going.pid, left.pid])
        expect(readFileSync(`/proc/${pid}/cgroup`, 'utf8')).toContain(`0::${group?.path}\n`);
      for (const pid of [going.pid, left.pid]) process.kill(pid, 'SIGKILL');
      await going.ended;
    }),
  );

  test(
    'inside of another starts in the same group, and says so',
    withHome(async (home) => {
      const inner = `"$N" "$C" agent -- sh -c 'cat /proc/self/cgroup; exit 6'`;
      const ended = await home.run(['agent', '--', 'sh', '-c', inner], { env: { C: curfewFile, N: readableNode } });
      expect(ended.code).toBe(6);
      expect(ended.stderr).toContain('this is inside of another `curfew agent`, so the agent starts in the same group');
      expect(ended.stdout).toContain(`0::${recordOf(home).groups[0]?.path}\n`);
    }),
  );

  test(
    'leaves empty groups, which the next start removes, and none that is not the very one that was made',
    withHome(async (home) => {
      await home.run(['agent', '--', 'true']);
      const first = recordOf(home);
      const [group] = first.groups;
      const replaced = group?.folder ?? '';
      rmdirSync(replaced);
      mkdirSync(replaced);
      await home.run(['agent', '--', 'true']);
      expect(existsSync(replaced)).toBe(true);
      rmdirSync(replaced);
      rmdirSync(join(replaced, '..'));
      const [second] = recordsIn(join(home.path, 'curfew')).filter(({ id }) => id !== first.id);
      expect(existsSync(second?.groups[0]?.folder ?? '')).toBe(true);
      await home.run(['agent', '--', 'true']);
      expect(existsSync(join(second?.groups[0]?.folder ?? '', '..'))).toBe(false);
      made.push(...recordsIn(join(home.path, 'curfew')));
    }),
  );
});

describe.skipIf(!canBound)('the ceiling of an agent', () => {
  test(
    'holds its tool calls where it moves them: a hog dies, the agent lives',
    withHome(async (home) => {
      const agent = agentWith(
        home,
        `call perl -e 'my @kept; push @kept, "x" x 1_000_000 while 1'; echo "hog $?"
        call sh -c 'setsid perl -e "exit if fork; sleep 606" >/dev/null 2>&1'; echo lives $CLAUDE_CODE_TOOL_MEMORY_LIMIT; exit 5`,
      );
      const ended = await home.run(['agent', '--memory', '64M', '--', agent]);
      expect(ended).toMatchObject({ code: 5, stdout: 'hog 137\nlives 64M\n' });
      const { groups, agent: id } = recordOf(home);
      expect(id).toBe('claude-code');
      const calls = groups.find(({ holds }) => holds === 'calls');
      const [left] = await until('it left something', () => withText('sleep 606').filter(({ ppid }) => ppid === 1));
      expect(readFileSync(`/proc/${left?.pid ?? 0}/cgroup`, 'utf8')).toContain(`memory:${calls?.path}\n`);
      process.kill(left?.pid ?? 0, 'SIGKILL');
    }),
  );

  test(
    'leaves a limit that the user has set, and moves nothing where the user has switched that off',
    withHome(async (home) => {
      // A real agent may have left a group of that name beside ours.
      const moves = 'case $own in *curfew-agent-*) test -d "$group" && echo moves ;; esac';
      const agent = agentWith(home, `echo "limit $CLAUDE_CODE_TOOL_MEMORY_LIMIT"; ${moves}`);
      const said = async (value: string): Promise<string> =>
        (await home.run(['agent', '--', agent], { env: { CLAUDE_CODE_TOOL_MEMORY_LIMIT: value } })).stdout;
      expect(await said('3G')).toBe('limit 3G\nmoves\n');
      expect(await said('none')).toBe('limit none\n');
      const asked = async (settings: object, env = {}): Promise<readonly [string, string]> => {
        mkdirSync(home.file('.claude'), { recursive: true });
        writeFileSync(home.file('.claude/settings.json'), JSON.stringify(settings));
        const { stdout, stderr } = await home.run(['agent', '--memory', '1G', '--', agent], { env });
        return [stdout, stderr];
      };
      const holds = 'curfew: CLAUDE_CODE_TOOL_MEMORY_LIMIT is set to 3G, which holds for its tool calls\n';
      const three = { CLAUDE_CODE_TOOL_MEMORY_LIMIT: '3G' };
      expect(await asked({}, three)).toEqual(['limit 3G\nmoves\n', holds]);
      expect(await asked({ env: three })).toEqual(['limit \nmoves\n', holds]);
      expect(await asked({ env: { CLAUDE_CODE_TOOL_MEMORY_LIMIT: 'off' } })).toEqual([
        'limit \n',
        'curfew: the agent and what it starts share 1G of memory\n',
      ]);
      expect(await asked({ env: { CLAUDE_CODE_TOOL_MEMORY_LIMIT: '1G' } })).toEqual(['limit \nmoves\n', '']);
      made.push(...recordsIn(join(home.path, 'curfew')));
    }),
  );

  test(
    'holds the agent too where it moves nothing, and says so: a fork bomb stays inside, its shell lives',
    withHome(async (home) => {
      const bomb = `perl -e 'use POSIX; for (1 .. 100) { my $p = fork; if (!defined $p) { print "refused\\n"; exit 3 } if (!$p) { setsid; sleep 2; exit } }'`;
      const ended = await home.start(
        'sh',
        [
          '-c',
          `"$N" "$C" agent --tasks 20 -- sh -c '${bomb.replaceAll("'", `'\\''`)}; exit 4'; echo "shell lives, $?"`,
        ],
        {
          env: { C: curfewFile, N: readableNode },
        },
      ).ended;
      expect(ended.stdout).toBe('refused\nshell lives, 4\n');
      expect(ended.stderr).toBe('curfew: the agent and what it starts share 20 processes and threads\n');
      recordOf(home);
    }),
  );
});

describe.skipIf(ownGroup === null)('an agent of a user without rights', () => {
  test(
    'starts all the same, with one sentence',
    withHome(async (home) => {
      chmodSync(home.path, 0o777);
      const options = { uid: nobody, env: { CURFEW_HOME: home.file('of-nobody'), XDG_RUNTIME_DIR: '' } };
      const ended = await home.run(['agent', '--memory', '64M', '--', 'sh', '-c', 'echo started; exit 3'], options);
      expect(ended).toMatchObject({ code: 3, stdout: 'started\n' });
      expect(ended.stderr).toMatch(
        /^curfew: 64M of memory can not be held here, and the agent starts all the same: .+\n$/u,
      );
      const plain = await home.run(['agent', '--', 'true'], options);
      expect(plain.code).toBe(0);
      expect(plain.stderr).toMatch(
        /^curfew: no control group can be made here, and the agent starts all the same: .+\n$/u,
      );
    }),
  );

  const hidden = 'umount -R /sys/fs/cgroup';
  const readOnly =
    'mount -t tmpfs x /mnt; mount --rbind /sys/fs/cgroup /mnt; for one in $(findmnt -rno TARGET -R /mnt); do mount -o remount,bind,ro "$one"; done; mount --rbind /mnt /sys/fs/cgroup';
  const ownMounts = [
    `${hidden}; mount -t tmpfs x /sys/fs/cgroup; cd /sys/fs/cgroup; mkdir memory pids two`,
    'mount -t cgroup -o memory x memory; mount -t cgroup -o pids x pids; mount -t cgroup2 x two; cd /',
  ].join('; ');
  const missing = 'control groups of version 2 are not mounted here';
  const none = (why: string): string =>
    `curfew: no control group can be made here, and the agent starts all the same: ${why}; the user's service manager can not be reached\n`;
  const unheld = (why: string): string =>
    none(why).replace('no control group can be made', '64M of memory can not be held');
  const shared = 'curfew: the agent and what it starts share 64M of memory\n';

  test.skipIf(!canBound).each([
    ['has version 1 alone', [], 'umount /sys/fs/cgroup/unified', none(missing), shared],
    ['can write no group', [], readOnly, none(`its control group ${ownGroup} can not be written (EROFS)`), null],
    ['has no groups mounted', [], hidden, none(missing), unheld(missing)],
    ['is in a cgroup namespace with mounts of its own', ['--cgroup'], ownMounts, '', shared],
  ] as const)('starts all the same where the machine %s', (_what, options, before, plain, bounded) =>
    withHome(async (home) => {
      const said = async (more: string): Promise<string> => {
        const script = `{ ${before}; } >&2; "$N" "$C" agent ${more} -- sh -c 'echo started; exit 3'`;
        const env = { C: curfewFile, N: readableNode, XDG_RUNTIME_DIR: '' };
        const ended = await home.start('unshare', ['--mount', ...options, 'sh', '-c', script], { env }).ended;
        expect(ended).toMatchObject({ code: 3, stdout: 'started\n' });
        return ended.stderr;
      };
      expect(await said('')).toBe(plain);
      const held = await said('--memory 64M');
      expect(held).toBe(bounded ?? unheld(plain.slice(plain.indexOf('its control'), plain.indexOf(';'))));
      const records = recordsIn(join(home.path, 'curfew'));
      if (options.length === 0) made.push(...records);
      // By the paths that they have here.
      else
        for (const { folder } of records.flatMap(({ groups }) => groups))
          for (const one of [folder, ...(folder.endsWith('/agent') ? [join(folder, '..')] : [])])
            rmdirSync(one.replace('/sys/fs/cgroup/two', ownGroup ?? '').replace('/sys/fs/cgroup/memory', memory ?? ''));
    })(),
  );

  test(
    'gets its group where a group of version 2 was delegated to the user',
    withHome(async (home) => {
      chmodSync(home.path, 0o777);
      const folder = join(ownGroup ?? '', `curfew-test-${process.pid}`);
      mkdirSync(folder);
      for (const one of [folder, join(folder, 'cgroup.procs'), join(folder, 'cgroup.subtree_control')])
        chownSync(one, nobody, nobody);
      try {
        const script = `echo 0 > ${folder}/cgroup.procs; exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups "$N" "$C" agent -- cat /proc/self/cgroup`;
        const env = { C: curfewFile, N: readableNode, CURFEW_HOME: home.file('of-nobody') };
        const ended = await home.start('sh', ['-c', script], { env }).ended;
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        expect(ended.stdout).toMatch(new RegExp(`^0::.*/curfew-test-${process.pid}/curfew-agent-\\w+/agent$`, 'mu'));
        for (const record of recordsIn(home.file('of-nobody'))) expect(removeAgentGroups(record)).toBe(true);
      } finally {
        rmdirSync(folder);
      }
    }),
  );

  test(
    'gets a scope in the slice of Curfew from the user’s service manager',
    withHome(async (home) => {
      const manager = new Manager(home, 'exit 0');
      const going = home.curfew(['agent', '--', 'cat', '/proc/self/cgroup'], manager.options);
      const { told, scope, folder } = await manager.moves();
      expect(scope).toMatch(/^curfew-agent-\w+\.scope$/u);
      expect(told).toContain('Slice s curfew.slice');
      const ended = await going.ended;
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toMatch(new RegExp(`^0::.*/${scope}/agent$`, 'mu'));
      rmdirSync(join(folder, 'agent'));
      await manager.collects(folder);
    }),
  );
});

test.each(['bash', 'zsh', 'fish'])('functions for %s start each agent that is there through Curfew, once', (shell) =>
  withHome(async (home) => {
    const printed = await home.run(['agent', '--shell', shell]);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain('command curfew agent -- claude ');
    mkdirSync(home.file('programs'));
    for (const [name, text] of [
      ['curfew', 'echo "curfew $*"; shift 2; exec "$@"'],
      ['claude', 'echo "claude $*"'],
    ] as const)
      writeFileSync(home.file(`programs/${name}`), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    writeFileSync(home.file('functions'), printed.stdout);
    const found = await home.start('sh', ['-c', `command -v ${shell}`]).ended;
    // The shells that this machine lacks are not tried.
    if (found.code !== 0) return;
    const ended = await home.start(shell, ['-c', '. ./functions; claude -p "a b"; codex'], {
      env: { PATH: `${home.file('programs')}:${process.env['PATH'] ?? ''}` },
    }).ended;
    expect(ended.stdout).toBe('curfew agent -- claude -p a b\nclaude -p a b\n');
  })(),
);
