import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ceilingsIn } from '../../../main/os/containment/ceilings.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-ceilings-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
};
const mounted = (name: string, kind: string, options: string): string =>
  `36 25 0:31 / ${join(root, name)} rw shared:9 - ${kind} cgroup rw,${options}`;

test('the tightest limit of all groups above counts, in version 2', () => {
  write({
    'u/pod/pids.max': '500',
    'u/pod/pids.current': '480',
    'u/pod/agent/pids.max': '1000',
    'u/pod/agent/pids.current': '470',
    'u/pod/memory.max': 'max',
    'u/pod/memory.current': '5',
    'u/pod/agent/memory.max': '1000',
    'u/pod/agent/memory.current': '900',
    'u/pod/agent/memory.stat': 'anon 300\ninactive_file 500\nactive_file 100',
    'u/pod/agent/memory.pressure': 'some avg10=12.50 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00',
  });
  expect(ceilingsIn({ mountinfo: mounted('u', 'cgroup2', ''), groups: '0::/pod/agent\n' })).toEqual({
    pids: { used: 480, max: 500 },
    // What the kernel takes back from files at once is not taken.
    memory: { used: 400, max: 1000 },
    stalledPercent: 12.5,
  });
});

test('limits of version 1 are read too, and its largest number means none', () => {
  write({
    'pids/pids.max': '30',
    'pids/pids.current': '24',
    'm/box/memory.limit_in_bytes': '9223372036854771712',
    'm/box/memory.usage_in_bytes': '7',
  });
  const mountinfo = [mounted('pids', 'cgroup', 'pids'), mounted('m', 'cgroup', 'memory')].join('\n');
  expect(ceilingsIn({ mountinfo, groups: '8:pids:/\n4:memory:/box\n' })).toEqual({
    pids: { used: 24, max: 30 },
    memory: null,
    stalledPercent: null,
  });
});

test('what is not mounted, not ours to see or not there is no limit', () => {
  const none = { pids: null, memory: null, stalledPercent: null };
  expect(ceilingsIn({ mountinfo: '', groups: '' })).toEqual(none);
  expect(ceilingsIn({ mountinfo: mounted('u', 'cgroup2', ''), groups: '0::/../../other\n' })).toEqual(none);
  expect(ceilingsIn({ mountinfo: mounted('u', 'cgroup2', ''), groups: '0::/gone\n' })).toEqual(none);
});
