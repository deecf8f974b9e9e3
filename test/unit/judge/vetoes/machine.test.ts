import { describe, expect, test } from 'vitest';
import type { KeptByAgent } from '../../../../app/model/session.ts';
import { containersOf } from '../../../../app/process/containers-of.ts';
import { serviceOf } from '../../../../app/process/service-of.ts';
import { asGroupId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { rowOf, tableOf } from '../job-builder.ts';
import { vetoesOn } from './ask.ts';

const command = ['sleep', '3600'];
const id64 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const inUser = '/user.slice/user-1000.slice/user@1000.service';

test('process 1, and numbers that are no processes', () => {
  for (const pid of [1, 0, -1]) expect(vetoesOn(command, { row: { pid: asPid(pid) } })).toContain('init');
  expect(vetoesOn(command, { row: { pid: asPid(2) } })).not.toContain('init');
});

test('threads of the kernel', () => {
  expect(vetoesOn([], { row: { kernelThread: true, comm: 'kworker/0:1' } })).toEqual(['kernel-thread']);
  expect(vetoesOn(['kworker/0:1'])).toEqual([]);
});

describe('Curfew', () => {
  test.each([
    ['itself', { pid: asPid(900) }],
    ['what started it', { pid: asPid(800) }],
    ['its group', { pgid: asGroupId(900) }],
  ])('%s', (_what, row) => {
    expect(vetoesOn(command, { row })).toEqual(['curfew']);
  });

  test.each([
    [['curfew', 'watch']],
    [['node', '/usr/local/bin/curfew', 'run', '--', 'make']],
    [['/usr/bin/node', '/home/me/curfew/build/out/cli/curfew.js', 'watch']],
  ])('another run of it: %o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['curfew']);
  });

  test.each([[['node', '/home/me/curfew/server.js']], [['grep', '-r', 'curfew']], [['./curfew-notes']]])(
    'nothing else: %o',
    (argv) => {
      expect(vetoesOn(argv)).toEqual([]);
    },
  );
});

describe('a debugger or tracer', () => {
  test('protects what it holds, as long as it does', () => {
    expect(vetoesOn(command, { facts: { tracer: 77 } })).toEqual(['traced']);
    expect(vetoesOn(command, { facts: { tracer: 77 }, context: { jobMembers: new Set([100]) } })).toEqual(['traced']);
    expect(vetoesOn(command)).toEqual([]);
  });

  test('that is a member of the same job protects nothing', () => {
    expect(vetoesOn(command, { facts: { tracer: 77 }, context: { jobMembers: new Set([77, 100]) } })).toEqual([]);
  });

  test('that is not in sight is told by the state of what it has stopped', () => {
    expect(vetoesOn(command, { row: { state: 't' } })).toEqual(['traced']);
    expect(vetoesOn(command, { row: { state: 'T' } })).toEqual([]);
  });
});

test('agents', () => {
  expect(vetoesOn(['agent', '-p', 'do it'])).toEqual(['agent']);
  expect(vetoesOn(['grep', 'agent'])).toEqual([]);
});

test('other users, and an unknown user', () => {
  expect(vetoesOn(command, { row: { uid: 0 } })).toEqual(['other-user']);
  expect(vetoesOn(command, { row: { uid: null } })).toEqual(['other-user']);
  expect(vetoesOn(command, { row: { uid: 0 }, context: { uid: 0 } })).toEqual([]);
  expect(vetoesOn(command, { context: { uid: 0 } })).toEqual(['other-user']);
});

describe('the keep marker', () => {
  const mark = { pid: 100, startTicks: 1100, image: 'one' };
  const memory = { assigned: false, kept: [], plain: [] };

  test('counts when it was seen earlier, whatever the environment shows now', () => {
    const context = { keep: { ...memory, kept: [mark] } };
    expect(vetoesOn(command, { facts: { environment: {}, image: 'two' }, context })).toEqual(['keep-marker']);
    expect(vetoesOn(command, { row: { startTicks: 7 }, facts: { image: 'two' }, context })).toEqual([]);
  });

  test('counts for every process of a job whose command sets it', () => {
    expect(vetoesOn(command, { context: { keep: { ...memory, assigned: true } } })).toEqual(['keep-marker']);
  });

  test('may be in an environment that can not be read, unless that is known to be without it', () => {
    for (const hidden of ['rewritten', 'refused'] as const) {
      const facts = { environment: null, hidden, image: 'one' };
      expect(vetoesOn(command, { facts })).toEqual(['keep-unknown']);
      expect(vetoesOn(command, { facts, context: { keep: { ...memory, plain: [mark] } } })).toEqual([]);
      const another = { facts: { ...facts, image: 'two' }, context: { keep: { ...memory, plain: [mark] } } };
      expect(vetoesOn(command, another)).toEqual(['keep-unknown']);
    }
  });

  test('on a machine that shows no environments, what is not seen is no veto', () => {
    expect(vetoesOn(command, { facts: { environment: null } })).toEqual([]);
  });

  test.each([
    ['1', ['keep-marker']],
    ['0', []],
    ['', []],
    ['true', []],
    [' 1', []],
  ])('CURFEW_KEEP=%s', (value, expected) => {
    expect(vetoesOn(command, { facts: { environment: { CURFEW_KEEP: value } } })).toEqual(expected);
  });

  test('an environment that can’t be read proves nothing', () => {
    expect(vetoesOn(command, { facts: { environment: null } })).toEqual([]);
  });
});

describe('another pid namespace', () => {
  const facts = { pidNamespace: '4026532001' };
  test.each([
    ['a root', { isRoot: true, descendsFromRoot: false }, ['other-namespace']],
    ['a member beside the root', { isRoot: false, descendsFromRoot: false }, ['other-namespace']],
    ['a sandbox below the root', { isRoot: false, descendsFromRoot: true }, []],
  ])('%s', (_what, role, expected) => {
    expect(vetoesOn(command, { facts, role })).toEqual(expected);
  });

  test('unreadable, or none on this platform', () => {
    const role = { isRoot: true, descendsFromRoot: false };
    expect(vetoesOn(command, { facts: { pidNamespace: null }, role })).toEqual([]);
    expect(vetoesOn(command, { facts, role, context: { pidNamespace: null } })).toEqual([]);
  });
});

describe('services', () => {
  test.each([
    ['a system service', { '': '/system.slice/nginx.service' }, '/system.slice/nginx.service'],
    ['a delegated group of one', { '': '/system.slice/nginx.service/worker' }, '/system.slice/nginx.service'],
    ['sshd where no session is opened', { '': '/system.slice/ssh.service' }, '/system.slice/ssh.service'],
    [
      'an instance',
      { '': '/system.slice/system-getty.slice/getty@tty1.service' },
      '/system.slice/system-getty.slice/getty@tty1.service',
    ],
    ['a user’s service', { '': `${inUser}/app.slice/bot.service` }, `${inUser}/app.slice/bot.service`],
    [
      'what was arranged to start at login',
      { '': `${inUser}/app.slice/app-bot@autostart.service` },
      `${inUser}/app.slice/app-bot@autostart.service`,
    ],
    [
      'version 1, named hierarchy',
      { 'name=systemd': '/system.slice/cron.service', memory: '/' },
      '/system.slice/cron.service',
    ],
    [
      'both hierarchies (hybrid)',
      { '': '/system.slice/cron.service', 'name=systemd': '/system.slice/cron.service' },
      '/system.slice/cron.service',
    ],
  ] as const)('%s', (_what, cgroups, service) => {
    expect(serviceOf(cgroups)).toBe(service);
    expect(vetoesOn(command, { facts: { cgroups } })).toEqual(['service-manager']);
    expect(vetoesOn(command, { facts: { cgroups }, context: { ownerServices: [service] } })).toEqual([]);
    expect(
      vetoesOn(command, { facts: { cgroups }, context: { ownerServices: ['/system.slice/other.service'] } }),
    ).toEqual(['service-manager']);
  });

  test.each(['kirocrew-agents.slice', 'kirocrew-agents-7f3a.slice'])(
    'what KiroCrew keeps in %s is left to it',
    (slice) => {
      const path = `${inUser}/kirocrew.slice/${slice}`;
      for (const cgroups of [{ '': `${path}/run-u12.scope` }, { 'name=systemd': `${path}/run-u12.scope` }])
        expect(vetoesOn(command, { facts: { cgroups }, context: { ownerServices: [path] } })).toEqual([
          'service-manager',
        ]);
      expect(vetoesOn(command, { facts: { cgroups: { '': `${inUser}/my-${slice}/run-u12.scope` } } })).toEqual([]);
    },
  );

  test.each([
    ['a login session', { '': '/user.slice/user-1000.slice/session-3.scope' }],
    ['a user’s manager itself', { '': `${inUser}/init.scope` }],
    ['its group in another hierarchy', { '': inUser }],
    ['a terminal’s tab', { '': `${inUser}/app.slice/app-org.gnome.Terminal.slice/vte-spawn-0b.scope` }],
    ['an application of GNOME', { '': `${inUser}/app.slice/app-gnome-code-4711.scope` }],
    ['an application of Plasma', { '': `${inUser}/app.slice/app-org.kde.konsole@4cd3f2.service` }],
    ['a scope inside a service', { '': '/system.slice/actions.service/job-1.scope' }],
    ['a slice', { '': '/user.slice' }],
    ['the root', { '': '/', 'name=systemd': '/' }],
    [
      'no systemd, version 1',
      { '': '/', memory: '/process_api/89d44f670a104a08b80047054682546b', 'name=systemd': '/' },
    ],
    ['a folder that only sounds like one', { '': '/service/nginx' }],
    ['a controller that is not systemd’s', { memory: '/system.slice/nginx.service' }],
  ])('not %s', (_what, cgroups) => {
    expect(serviceOf(cgroups)).toBeNull();
    expect(vetoesOn(command, { facts: { cgroups } })).toEqual([]);
  });

  test('unreadable proves nothing', () => {
    expect(vetoesOn(command, { facts: { cgroups: null } })).toEqual([]);
  });
});

describe('containers', () => {
  test.each([
    ['Docker', `/system.slice/docker-${id64}.scope`],
    ['Docker', `/docker/${id64}`],
    ['Docker', `/docker/${id64}/init`],
    ['Podman', `${inUser}/user.slice/libpod-${id64}.scope/container`],
    ['Podman', `/machine.slice/libpod-${id64}.scope`],
    ['Podman', `/libpod_parent/libpod-${id64}`],
    ['Podman', `${inUser}/user.slice/libpod-conmon-${id64}.scope`],
    [
      'Kubernetes',
      `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/cri-containerd-${id64}.scope`,
    ],
    ['Kubernetes', `/kubepods/besteffort/pod0f/${id64}`],
    ['containerd', `/system.slice/nerdctl-${id64}.scope`],
    ['OCI', `/default/${id64}`],
    ['CRI-O', `/machine/crio-${id64}.scope`],
    ['LXC', '/lxc.payload.web/system.slice'],
    ['LXC', '/lxc/web'],
    ['systemd-machined', '/machine.slice/machine-debian.scope'],
  ])('%s: %s', (runtime, path) => {
    expect(containersOf({ '': path })[0]?.runtime).toBe(runtime);
    expect(vetoesOn(command, { facts: { cgroups: { '': path } } })).toContain('container');
    // On version 1 every controller has its own path, and systemd's may say nothing.
    expect(vetoesOn(command, { facts: { cgroups: { '': '/', memory: path } } })).toEqual(['container']);
    // The same container that Curfew is in.
    expect(vetoesOn(command, { facts: { cgroups: { memory: path } }, context: { cgroups: { memory: path } } })).toEqual(
      [],
    );
  });

  test('another container than Curfew’s', () => {
    const own = { '': `/docker/${id64}` };
    const other = { '': `/docker/${id64.replace('e3', 'ff')}` };
    expect(vetoesOn(command, { facts: { cgroups: other }, context: { cgroups: own } })).toEqual(['container']);
    expect(
      vetoesOn(command, { facts: { cgroups: { '': `/docker/${id64}/docker/${id64}` } }, context: { cgroups: own } }),
    ).toEqual([]);
  });

  test('another pod than Curfew’s', () => {
    const own = { '': `/kubepods/besteffort/pod1/${id64}` };
    const other = { '': `/kubepods/besteffort/pod2/${id64}` };
    expect(vetoesOn(command, { facts: { cgroups: other }, context: { cgroups: own } })).toEqual(['container']);
  });

  test.each([
    '/',
    '/process_api/89d44f670a104a08b80047054682546b',
    '/user.slice/user-1000.slice/session-3.scope',
    `${inUser}/app.slice/snap.docker-compose.scope`,
    '/docker',
    '/machine.slice',
    '/system.slice/lxc-net.scope',
  ])('none: %s', (path) => {
    expect(containersOf({ '': path, memory: path })).toEqual([]);
  });
});

describe('kept by its agent', () => {
  const lease: KeptByAgent = {
    agent: 'copilot',
    pid: asPid(100),
    pgid: 100,
    startTicks: 1100,
    evidence: 's2.lease.json',
  };
  const asked = (kept: KeptByAgent, row = {}, rows = tableOf()): readonly string[] =>
    vetoesOn(command, { row, context: { keptByAgent: [kept], rows } });

  test('the process of the lease', () => {
    expect(asked({ ...lease, pgid: null })).toEqual(['kept-by-agent']);
    expect(asked({ ...lease, pgid: null, startTicks: null })).toEqual(['kept-by-agent']);
    expect(asked({ ...lease, pgid: null, pid: asPid(101) })).toEqual([]);
  });

  test('not one that got its number later', () => {
    expect(asked({ ...lease, startTicks: 7 })).toEqual([]);
  });

  test('its group, also when its leader has ended', () => {
    const row = { pgid: asGroupId(50) };
    const group = { ...lease, pid: asPid(50), pgid: 50, startTicks: 1050 };
    expect(asked(group, row)).toEqual(['kept-by-agent']);
    expect(asked(group, row, tableOf(rowOf(50, ['sh'])))).toEqual(['kept-by-agent']);
    expect(asked({ ...group, pid: null }, row)).toEqual(['kept-by-agent']);
    expect(asked(group, row, tableOf(rowOf(50, ['sh'], { startTicks: 9999 })))).toEqual([]);
  });
});

describe('the first process of a pid namespace', () => {
  /** What the look saw of 101, a child of it, which lived when the company was read. */
  const vetoesBeside = (seen: Partial<ProcessRow> | null, parent = 100) => {
    const rows = seen === null ? tableOf() : tableOf(rowOf(101, command, { ppid: asPid(100), ...seen }));
    const takenAlong = () => ({
      inside: new Map([[100, [101]]]),
      traced: new Map<number, readonly number[]>(),
      parents: new Map([[101, parent]]),
    });
    return vetoesOn(command, { context: { rows, takenAlong, jobMembers: new Set([100]) } });
  };

  test('takes along what the look did not take for a member', () => {
    expect(vetoesBeside({})).toEqual(['takes-others']);
    expect(vetoesBeside(null, 7)).toEqual(['takes-others']);
  });

  test('takes no other along where its own child came since the look', () => {
    expect(vetoesBeside(null)).toEqual([]);
  });
});
