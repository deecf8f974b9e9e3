import { lockFileIn, loopConditionOf, searchedProcess } from '../../../app/diagnose/loop-condition.ts';
import { projectMatches, searchText, searchWords } from '../../../app/history/filter.ts';
import { exemptionOf } from '../../../app/judge/exemptions.ts';
import { testCommandLine } from '../../../app/judge/rule-test.ts';
import { graceSecondsFor } from '../../../app/reap/grace.ts';
import { isAgentSocket } from '../../../app/sweep/forms.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { argumentsOf } from '../../../main/os/linux/proc/command-texts.ts';
import { vetoesOn } from '../../unit/judge/vetoes/ask.ts';
import { neverThrowsOrHangs } from './mutations.ts';

neverThrowsOrHangs(
  'command lines that the vetoes look at',
  [
    'chrome\0--type=renderer\0--user-data-dir=/tmp/puppeteer-x\0--headless=new\0',
    'nvim-linux-x86_64.appimage\0-29.4\0',
    '/usr/bin/.kitty-wrapped\0',
    'sshd: me@pts/1\0',
    'ssh: /home/me/.ssh/m [mux]\0',
    '/h/.vscode-server/bin/0a/node\0--type=extensionHost\0',
    'java\0-cp\0a\0com.intellij.idea.Main\0',
    'sudo\0-u\0root\0-i\0',
    'git\0-C\0/p\0fsmonitor--daemon\0',
    'emacs\0--fg-daemon\0',
  ],
  (bytes) => {
    const argv = argumentsOf(bytes.toString('utf8'), false);
    const comm = bytes.toString('utf8', 0, 15);
    const executable = bytes.toString('utf8', 0, 4096);
    const cgroups = { '': executable, 'name=systemd': executable };
    return [vetoesOn(argv, { row: { comm }, facts: { executable, cgroups } }), graceSecondsFor([{ argv, comm }], 1)];
  },
);

neverThrowsOrHangs(
  'scripts that wait for something',
  [
    'until [ -f done ]; do sleep 5; done',
    'cd x && while ! curl -sf http://localhost:3000\ndo\n  sleep 1\ndone',
    `until [ -z "$(pgrep -u me -f 'npm test')" ]; do sleep 1; done`,
    'while [ -e /tmp/build.lock ]; do :; break; done',
  ],
  (bytes) => {
    const script = bytes.toString('utf8');
    const condition = loopConditionOf(script);
    return condition.kind === 'asked' && [searchedProcess(condition.text), lockFileIn(condition.text)];
  },
);

neverThrowsOrHangs(
  'folders, commands and words of a user',
  ['/home/me/shop/', 'C:\\shop\\', 'npm run *dev* --port 3000', 'shop  dev'],
  (bytes) => {
    // Maximum length taken from a field.
    const text = bytes.toString('utf8', 0, 100_000);
    const holds = { ports: [] };
    const exemption = { project: text, command: text, createdAt: '2026-11-20T00:00:00Z' };
    return [
      exemptionOf([exemption], { project: text, command: text, holds }),
      exemptionOf([exemption], { project: `${text}x`, command: `${text}x`, holds }),
      testCommandLine(text, [], [exemption]),
      projectMatches(`${text}x`, text),
      searchWords(text).every((word) => searchText({ command: text, project: text }).includes(word)),
      visibleText(text),
    ];
  },
);

neverThrowsOrHangs(
  'names of files that agents leave',
  ['snapshot-bash-1795232364193-a1b2c3.sh', 'claude-http-0123456789abcdef.sock', 'srt-mux-77-1.sock', '77.sock'],
  (bytes) => {
    const name = bytes.toString('utf8');
    return isAgentSocket(name);
  },
);
