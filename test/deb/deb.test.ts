import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDeb, type DebOrder } from '../../build/release/deb/build-deb.ts';
import { debVersion, libraries } from '../../build/release/deb/control.ts';
import { releaseIn } from '../../build/release/description.ts';
import { MinimalRoot, quoted } from './in-root.ts';

// npm run test:deb, as root: the package as a new user meets it, in a minimal Debian.
const root = join(import.meta.dirname, '../..');
const work = mkdtempSync('/var/tmp/curfew-deb-');
const processor = process.arch === 'arm64' ? 'arm64' : 'x64';
const release = releaseIn(root);
const order: DebOrder = {
  root,
  release,
  processor,
  epoch: 1_790_000_000,
  node: 'node_modules/node/bin/node',
  nodeLicence: `node_modules/node/node_modules/node-linux-${processor}/LICENSE`,
  output: work,
  // What is installed is the same, and compressing Node takes a minute.
  compression: 'none',
};

/**
 * A checkout of the next version, with the same program under other names: in a new version the
 * chunks that a running program would load have gone.
 */
const nextCheckout = (): string => {
  const next = join(work, 'next');
  mkdirSync(next);
  for (const file of ['LICENSE', 'CHANGELOG.md', 'node_modules']) symlinkSync(join(root, file), join(next, file));
  cpSync(join(root, 'build/out'), join(next, 'build/out'), {
    recursive: true,
    filter: (path) => !/out\/(?:types|reports|package|release|shell)(?:\/|$)/u.test(path),
  });
  symlinkSync(join(root, 'build/release'), join(next, 'build/release'));
  const chunks = join(next, 'build/out/cli/chunks');
  const names = readdirSync(chunks).filter((name) => name.endsWith('.js'));
  for (const file of [...names.map((name) => join(chunks, name)), join(next, 'build/out/cli/index.js')]) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      names.reduce((left, name) => left.replaceAll(name, `next-${name}`), text),
    );
  }
  for (const name of names) renameSync(join(chunks, name), join(chunks, `next-${name}`));
  return next;
};

const debian = new MinimalRoot();
/** The package to be released where CURFEW_TEST_DEB names it, else one that is built here. */
let first = '';
let second = '';
const nextRelease = { ...release, version: `${release.version}+next` };
const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const version = (): string => debian.must("dpkg-query --show --showformat '${Version}' curfew");
const install = (file: string): string =>
  debian.must(`apt-get install --yes --no-install-recommends ./${basename(file)} 2>&1`);

/**
 * Every path of the system with its kind, mode and size, but the user's own files and the logs and
 * lists of dpkg, apt and debconf.
 */
const snapshot = (): readonly string[] =>
  debian
    .must(
      `find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /home/alice -o -path /var/log -o -path /var/lib/dpkg -o -path /var/cache/apt -o -path /var/cache/debconf -o -path /var/lib/apt \\) -prune -o -type d -printf '%p %y %m\\n' -o -printf '%p %y %m %s\\n'`,
    )
    .split('\n')
    .toSorted();

let before: readonly string[] = [];

beforeAll(() => {
  first = process.env['CURFEW_TEST_DEB'] ?? buildDeb(order);
  second = buildDeb({ ...order, root: nextCheckout(), release: nextRelease });
  debian.give([first, second]);
  debian.must('useradd --create-home --shell /bin/bash alice');
  debian.must('mkdir -p /etc/systemd/system/multi-user.target.wants');
  before = snapshot();
});

afterAll(() => {
  debian.remove();
  rmSync(work, { recursive: true, force: true });
});

describe('the Debian package', () => {
  test('is the same bytes when it is built again', () => {
    const again = buildDeb({ ...order, output: join(work, 'again') });
    const here = process.env['CURFEW_TEST_DEB'] === undefined ? first : buildDeb(order);
    expect(sumOf(again)).toBe(sumOf(here));
  });

  test('depends on what its programs are linked with', () => {
    mkdirSync(join(work, 'shlibs/debian'), { recursive: true });
    writeFileSync(join(work, 'shlibs/debian/control'), 'Source: curfew\n\nPackage: curfew\nArchitecture: any\n');
    spawnSync('dpkg-deb', ['--extract', first, join(work, 'shlibs/tree')]);
    const programs = ['bin/node', `node_modules/@koromix/koffi-linux-${processor}/linux_${processor}/koffi.node`];
    const { stdout, stderr, status } = spawnSync(
      'dpkg-shlibdeps',
      ['-O', ...programs.map((file) => `-e${join(work, 'shlibs/tree/usr/lib/curfew', file)}`)],
      { cwd: join(work, 'shlibs'), encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const names = (list: readonly string[]): ReadonlySet<string> => new Set(list.map((one) => one.split(' ')[0] ?? ''));
    const needed = stdout.trim().replace('shlibs:Depends=', '').split(', ');
    expect(names(needed)).toEqual(names(libraries));
  });

  test('installs where there is no Node, from nothing but itself', () => {
    expect(debian.bash('command -v node').status).not.toBe(0);
    install(first);
    expect(version()).toBe(debVersion(release.version));
    expect(debian.must('curfew --version').trim()).toBe(release.version);
  });

  test('finds, checks and supervises for a user who has just been made', () => {
    const scan = debian.alice('curfew scan --json');
    expect({ stderr: scan.stderr, status: scan.status }).toEqual({ stderr: '', status: 0 });
    expect(JSON.parse(scan.stdout)).toMatchObject({ schema: 1, host: 'local', jobs: [] });
    const doctor: unknown = JSON.parse(debian.alice('curfew doctor --json').stdout);
    expect(JSON.stringify(doctor)).toContain('pidfd');
    expect(doctor).toMatchObject({ healthy: true });
    const run = debian.alice(
      'curfew run -- sh -c "setsid sleep 321 & exit 7"; echo "status $?"; ps -e 2>/dev/null | grep sleep || true',
    );
    expect(run.stdout.trim()).toBe('status 7');
    const left = debian.alice('grep -l "^sleep" /proc/[0-9]*/cmdline 2>/dev/null || echo none');
    expect(left.stdout.trim()).toBe('none');
  });

  test('has its manual, completions and a timer where each is looked for', () => {
    expect(debian.must('zcat /usr/share/man/man1/curfew.1.gz')).toContain('curfew scan');
    const completed = debian.must(
      '. /usr/share/bash-completion/completions/curfew; complete -p curfew; COMP_WORDS=(curfew sc) COMP_CWORD=1; "$(complete -p curfew | sed "s/.*-F \\([^ ]*\\).*/\\1/")" curfew sc curfew; echo "${COMPREPLY[*]}"',
    );
    expect(completed).toContain('scan');
    const unit = debian.must('cat /usr/lib/systemd/user/curfew.service /usr/lib/systemd/user/curfew.timer');
    expect(unit).toContain('"hook" "pass"');
    // Enabled for no user: Curfew ends nothing until its user chooses so.
    expect(debian.bash('find / -xdev -name "*.wants" -path "*user*" -exec ls {} + | grep curfew').stdout).toBe('');
  });

  test('has the service of the machine installed, and neither enabled nor masked', () => {
    const unit = debian.must('cat /usr/lib/systemd/system/curfew.service');
    expect(unit).toContain('ExecStart=/usr/bin/curfew watch --all-users');
    expect(debian.bash('find /etc/systemd /run/systemd -name "curfew*" 2>/dev/null').stdout).toBe('');
    expect(debian.bash('deb-systemd-helper --quiet was-enabled curfew.service').status).not.toBe(0);
  });

  test('supervises every user with that user’s rights, as the service would', () => {
    const said = debian.must(
      [
        "su alice -s /bin/bash -c 'cd ~; exec sleep 600' &",
        'sleep 1',
        '(cd /; exec curfew watch --all-users --json) > /tmp/all 2>&1 &',
        'for try in $(seq 200); do [ -e /home/alice/.local/state/curfew/supervisor.lock.json ] && break; sleep 0.1; done',
        'stat --format "%U %a" /home/alice/.local/state/curfew/ledger.db',
        'for one in /proc/[0-9]*; do case $(tr "\\0" " " <"$one/cmdline") in /usr/lib/curfew/bin/node*--unattended*) grep "^Uid" "$one/status" ;; /usr/lib/curfew/bin/node*--all-users*) first=${one#/proc/} ;; esac; done',
        'kill -TERM "$first"; for try in $(seq 200); do [ -e "/proc/$first" ] || break; sleep 0.1; done',
        'cat /tmp/all; rm -rf /tmp/all /home/alice/.local',
      ].join('\n'),
    );
    const uid = debian.must('id --user alice').trim();
    expect(said).toMatch(new RegExp(`^alice 600\\nUid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}\\n`, 'u'));
    expect(said).toContain('"event":"started","user":"alice"');
  });

  test('belongs to root, with modes that let every user read it and none write it', () => {
    const strange = debian.must(
      'dpkg -L curfew | while read -r path; do find "$path" -maxdepth 0 ! -type l \\( ! -user root -o ! -group root -o -perm /022 -o -not -perm -444 \\) -printf \'%p %u %m\\n\'; done',
    );
    expect(strange).toBe('');
  });

  test('is upgraded under a running supervisor, which goes on and ends well', () => {
    const upgraded = debian.must(
      [
        `su alice -s /bin/bash -c ${quoted('cd ~; exec curfew watch --observe --json')} > /tmp/watch 2>&1 &`,
        'watch=$!',
        'for try in $(seq 200); do [ -s /tmp/watch ] && break; sleep 0.1; done',
        `apt-get install --yes --no-install-recommends ./${basename(second)} > /tmp/apt 2>&1 || { cat /tmp/apt; exit 1; }`,
        'sleep 12',
        'for one in /proc/[0-9]*; do case $(tr "\\0" " " <"$one/cmdline") in /usr/lib/curfew/bin/node*watch*) echo running; kill -TERM "${one#/proc/}" ;; esac; done',
        'status=0; wait "$watch" || status=$?',
        'echo "status $status"; cat /tmp/watch; rm -f /tmp/watch /tmp/apt',
      ].join('\n'),
    );
    expect(upgraded).toMatch(/^running\nstatus 0\n/u);
    expect(upgraded).not.toMatch(/Cannot find|ERR_MODULE/u);
    expect(version()).toBe(debVersion(nextRelease.version));
    const chunks = debian.must('ls /usr/lib/curfew/build/out/cli/chunks').trim().split('\n');
    expect(chunks.filter((name) => !name.startsWith('next-'))).toEqual([]);
    expect(debian.alice('curfew scan --json').status).toBe(0);
  });

  test('is purged and leaves nothing but what is the user’s own', () => {
    const hooked = debian.alice(
      'mkdir -p ~/.claude && curfew hooks install claude && curfew settings set mode observe',
    );
    expect(hooked.status).toBe(0);
    // What an operator leaves: a service enabled, as `systemctl enable` does, and defaults for all.
    debian.must(
      'ln -s /lib/systemd/system/curfew.service /etc/systemd/system/multi-user.target.wants/ && mkdir /etc/curfew && echo "{}" > /etc/curfew/settings.json',
    );
    debian.must('apt-get purge --yes curfew 2>&1');
    expect(debian.bash('dpkg-query --show curfew').status).not.toBe(0);
    const after = snapshot();
    expect(after.filter((line) => !before.includes(line))).toEqual([]);
    expect(before.filter((line) => !after.includes(line))).toEqual([]);
    const kept = debian.must('cd /home/alice && find .config/curfew .local/state/curfew -type f | sort');
    expect(kept).toContain('.config/curfew/settings.json');
  });

  test('leaves hooks behind that let agents work as if there were none', () => {
    const hook = debian.must('cat /home/alice/.claude/settings.json');
    expect(hook).toContain('curfew-hook');
    const event = JSON.stringify({
      session_id: 'x',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'sleep 9 &', run_in_background: true },
    });
    for (const name of ['pre-tool-use', 'session-start', 'tool', 'stop', 'session-end']) {
      const said = debian.alice(
        `printf %s ${quoted(event)} | ~/.local/state/curfew/hooks/curfew-hook claude-code ${name}`,
      );
      expect({ name, ...said }).toEqual({ name, status: 0, stdout: '', stderr: '' });
    }
  });
});
