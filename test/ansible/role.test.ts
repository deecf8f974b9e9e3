import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDeb } from '../../build/release/deb/build-deb.ts';
import { releaseIn } from '../../build/release/description.ts';
import { MinimalRoot } from '../deb/in-root.ts';

// npm run test:ansible, as root: Debian's own Ansible applies the role to a minimal Debian, from
// inside it. systemd does not run in there, so units are enabled and not started.
const root = join(import.meta.dirname, '../..');
const processor = process.arch === 'arm64' ? 'arm64' : 'x64';
const work = mkdtempSync('/var/tmp/curfew-ansible-');
const debian = new MinimalRoot();
const textfile = '/var/lib/prometheus/node-exporter/curfew.prom';

const inRole = 'cd /srv/role; export LC_ALL=C.UTF-8 ANSIBLE_NOCOLOR=1 debian_chroot=minimal SYSTEMD_OFFLINE=1';

/**
 * Applies the role; returns how many tasks changed something. Throws what was said if one failed.
 */
const changedBy = (state: 'present' | 'absent'): number => {
  const vars = JSON.stringify({
    curfew_state: state,
    curfew_deb: '/root/curfew.deb',
    curfew_metrics_textfile: textfile,
    curfew_settings: { mode: 'enforce', incidentLines: 'journald' },
  });
  const { stdout, stderr } = debian.bash(
    `${inRole}; ansible-playbook -i localhost, -c local -e '${vars}' play.yml || true`,
  );
  const recap = /changed=(\d+) .*failed=(\d+)/u.exec(stdout);
  if (recap?.[2] !== '0') throw new Error(`${stdout}\n${stderr}`);
  return Number(recap[1]);
};

/** Every path that names Curfew and is not the role, the package, or a record of apt. */
const leftBehind = (): string =>
  debian.must(
    'find / -xdev \\( -path /proc -o -path /srv -o -path /root -o -path /tmp \\) -prune -o -iname "*curfew*" -print | sort',
  );

beforeAll(() => {
  const release = releaseIn(root);
  const deb = buildDeb({
    root,
    release,
    processor,
    epoch: 1_790_000_000,
    node: 'node_modules/node/bin/node',
    nodeLicence: `node_modules/node/node_modules/node-linux-${processor}/LICENSE`,
    output: work,
    compression: 'none',
  });
  debian.give([deb]);
  debian.must(`mv /root/${basename(deb)} /root/curfew.deb`);
  const role = join(work, 'role');
  cpSync(join(root, 'build/ansible'), role, { recursive: true });
  writeFileSync(join(role, 'play.yml'), '- hosts: all\n  gather_facts: false\n  roles: [curfew]\n');
  const archive = join(work, 'role.tar');
  execFileSync('tar', ['--create', '--file', archive, '--directory', work, 'role']);
  debian.give([archive]);
  debian.must(
    'apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ansible-core ansible-lint python3-apt systemd',
  );
  debian.must('mkdir -p /srv && tar -C /srv -xf /root/role.tar');
});

afterAll(() => {
  debian.remove();
  rmSync(work, { recursive: true, force: true });
});

test('ansible-playbook and ansible-lint find no fault in it', () => {
  const lint = 'ansible-playbook --syntax-check -i localhost, site.yml && ansible-lint --offline site.yml roles';
  expect(debian.bash(`${inRole}; ${lint}`)).toMatchObject({ status: 0 });
});

test('it installs, writes the defaults and the units, enables them, changes nothing a second time, and removes all of it again', () => {
  expect(changedBy('present')).toBeGreaterThan(4);
  expect(debian.must('curfew --version').trim()).toBe(releaseIn(root).version);
  expect(JSON.parse(debian.must('cat /etc/curfew/settings.json'))).toEqual({
    schemaVersion: 1,
    mode: 'enforce',
    incidentLines: 'journald',
  });
  expect(debian.must('systemctl is-enabled curfew.service curfew-metrics.timer').split('\n')).toEqual([
    'enabled',
    'enabled',
    '',
  ]);
  expect(debian.must('cat /etc/systemd/system/curfew-metrics.service')).toContain(
    `ExecStart=/usr/bin/curfew metrics --textfile ${textfile}\n`,
  );
  debian.must('systemd-analyze verify /etc/systemd/system/curfew-metrics.timer');
  expect(changedBy('present')).toBe(0);
  expect(changedBy('absent')).toBeGreaterThan(2);
  expect(leftBehind()).toBe('');
  expect(changedBy('absent')).toBe(0);
});

test('without a package it says what to set', () => {
  const { status, stdout } = debian.bash(`${inRole}; ansible-playbook -i localhost, -c local play.yml`);
  expect(status).not.toBe(0);
  expect(stdout).toContain('Set curfew_deb');
});
