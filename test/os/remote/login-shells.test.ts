import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { scanDocument } from '../scene/schemas.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const scanned = scanDocument.extend({ host: z.literal('web1') });

const scan = async (machine: FarMachine): Promise<z.infer<typeof scanned>> =>
  scanned.parse(oneDocument(await machine.run(['scan', '--json', '--all', '--host', 'web1'])));

/** Output of login shells: words, colours, half a character, a NUL, and a fake answer. */
const chatter = String.raw`printf '\033[31mWelcome\033[0m\n\000#head\000\303begin 1\000end\000\n'; printf 'and on this side\n' >&2; echo >/tmp/scene/was-read`;

/** A shell for which /tmp is neither writable nor executable, and without facts about the user. */
const bare = '/tmp/scene/bare-shell';
const bareShell = `#!/bin/sh
echo >/tmp/scene/was-read
exec unshare --mount --propagation private /bin/sh -c 'mount --bind /tmp /tmp && mount -o remount,bind,ro,noexec /tmp || exit 1
! echo >/tmp/scene/was-read || exit 1
exec env -u HOME -u TERM -u USER -u LOGNAME /bin/bash "$@"' sh "$@"
`;

/** Login shells with the files they read when ssh runs a command. */
const shells: readonly { readonly file: string; readonly configuration: string; readonly text: string }[] = [
  { file: '/bin/bash', configuration: '.bashrc', text: chatter },
  { file: '/usr/bin/zsh', configuration: '.zshenv', text: `${chatter}\nsetopt no_rcs nomatch` },
  { file: '/usr/bin/fish', configuration: '.config/fish/config.fish', text: chatter },
];

const banner = [
  'Banner /tmp/scene/ssh/banner',
  'SetEnv LANG=tr_TR.UTF-8 LC_ALL=ja_JP.SJIS TERM= TMPDIR=/nowhere IFS=0',
];

describe.skipIf(missing !== null)(`any layer between ssh and sh ${skipped}`, () => {
  test(
    'login shells that print, a banner, an odd locale, no home, a noexec /tmp: the scan and the signals are the same',
    far(
      async (machine) => {
        const { stage } = machine;
        const claude = await FakeClaude.start(stage);
        const call = await claude.bash('sleep 7777 | cat');
        await machine.once('cp /etc/passwd /tmp/scene/passwd && mount --bind /tmp/scene/passwd /etc/passwd');
        stage.write('/tmp/scene/ssh/banner', 'Authorised\u001B[2J use only.\n');
        const login = (file: string, home: string): Promise<void> =>
          machine.once(
            `sed -i.old 's|^root:.*|root:x:0:0:root:${home}:${file}|' /tmp/scene/passwd; cat /tmp/scene/passwd >/etc/passwd`,
          );
        let tried = 0;
        for (const { file, configuration, text } of shells.filter((one) => existsSync(one.file))) {
          stage.write(`/root/${configuration}`, `${text}\n`);
          await login(file, '/root');
          expect(jobWith(await scan(machine), call.shell.pid), `through ${file}`).toMatchObject({
            command: 'sleep 7777 | cat',
            session: claude.session,
            output: call.output,
            owner: 'live',
          });
          // It did read that file, and print.
          expect(stage.has('/tmp/scene/was-read'), `by ${file}`).toBe(true);
          await machine.once('rm /tmp/scene/was-read');
          tried += 1;
        }
        expect(tried).toBeGreaterThan(1);

        stage.write(bare, bareShell, 0o755);
        await login(bare, '/root');
        expect(jobWith(await scan(machine), call.shell.pid).owner).toBe('live');
        expect(stage.has('/tmp/scene/was-read')).toBe(true);

        // The files of its agents are not in this home, so they prove no agent gone.
        await login('/bin/bash', '/nowhere/at-all');
        expect(jobWith(await scan(machine), call.shell.pid).owner).toBe('live');

        await login('/bin/bash', '/root');
        await claude.crash();
        const run = await machine.run(['reap', '--json', '--max-age', '0s', '--grace', '60s', '--host', 'web1']);
        expect(JSON.parse(run.stdout)).toMatchObject({ incidents: [{ outcome: 'reaped', survivors: [] }] });
        expect(stage.lives(call.shell)).toBe(false);
      },
      { forced: null, sshd: banner },
    ),
  );
});
