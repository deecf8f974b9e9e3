// npm run measure:peers: what other programs and Curfew end of what real sessions left, on one
// machine and in one run, written to docs/records/peers.md. Each has a world of its own: two
// sessions of the real Claude Code, of which one is killed, and programs of the user.
// CURFEW_TEST_PEERS is a folder with the peers: `cc-reaper` and `zclean`, cloned, and in `ports`
// what npm installs of kill-port and fkill-cli.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePidNamespace } from '../namespace.ts';
import { curfewEnvironment, curfewFile } from '../scene/curfew.ts';
import type { Identity } from '../scene/processes.ts';
import { Scene } from '../scene/scene.ts';
import { endings } from './endings.ts';
import { realAgents } from './kinds.ts';
import type { Step } from './model/step.ts';
import { startModel, startSession, withAgents, writeServers } from './session.ts';
import { steps } from './shapes.ts';

requirePidNamespace();
const peers = process.env['CURFEW_TEST_PEERS'] ?? '';
const [claude] = realAgents;
if (claude === undefined || peers === '') throw new Error('CURFEW_TEST_PEERS is the folder of the peers');

interface Peer {
  readonly name: string;
  readonly command: string;
  /** It is run once while both sessions live. */
  readonly before?: string;
  /** It is told a port, not to look for what was left. */
  readonly port?: true;
}

const node = process.execPath;
const curfew = `${node} ${curfewFile}`;
/** Processes look two days old to zclean, which takes no server younger than an hour. */
const older = `env PATH=/tmp/scene/older:/usr/bin:/bin ${node} ${peers}/zclean/bin/zclean.js --yes`;
const peersPlayed: readonly Peer[] = [
  { name: 'Curfew, never run before: what is proved', command: `${curfew} reap --max-age 0s` },
  { name: 'Curfew, never run before: with `--probable`', command: `${curfew} reap --max-age 0s --probable --yes` },
  { name: 'Curfew, one scan before: what is proved', before: `${curfew} scan`, command: `${curfew} reap --max-age 0s` },
  { name: 'zclean, `--yes`', command: older },
  {
    name: 'cc-reaper, `claude-cleanup`',
    command: `bash -c 'CC_AGENT_STALE_MINUTES=1; source ${peers}/cc-reaper/shell/claude-cleanup.sh; claude-cleanup'`,
  },
  { name: 'Curfew, `port 3917 --end`', port: true, before: `${curfew} scan`, command: `${curfew} port 3917 --end` },
  { name: 'kill-port', port: true, command: `${node} ${peers}/ports/node_modules/.bin/kill-port 3917` },
  { name: 'fkill', port: true, command: `${node} ${peers}/ports/node_modules/.bin/fkill --force :3917` },
];

/** A server that its command starts anew whenever it ends, as development servers are. */
const serving: Step = {
  command: "setsid bash -c 'while :; do python3 -m http.server 3917; sleep 0.2; done' >/dev/null 2>&1 &",
};

const play = async ({ name, command, before, port }: Peer): Promise<readonly string[]> => {
  const stage = await Scene.open({ ...withAgents, carried: [...withAgents.carried, peers], adopter: 'init' });
  try {
    writeServers(stage);
    await startModel(stage);
    stage.write(
      '/tmp/scene/older/ps',
      `#!/bin/sh\ncase "$*" in *etime=*) /usr/bin/ps "$@" | sed -E 's/(^| )(([0-9]+-)?([0-9]+:)?[0-5][0-9]:[0-5][0-9])( |$)/\\12-00:00:00\\5/' ;; *) exec /usr/bin/ps "$@" ;; esac\n`,
      0o755,
    );
    const living = await startSession(stage, claude, 'living', steps, { inTerminal: true });
    const killed = await startSession(stage, claude, 'killed', port === true ? [serving] : [...steps, serving]);
    const users = await stage.actor({ argv: ['node', 'bot.js'], cwd: stage.home, setsid: true });
    const client = await stage.actor({ argv: ['python3', 'watch-page.py'], cwd: stage.home, setsid: true });
    const run = async (line: string): Promise<number> => {
      const beganMs = performance.now();
      const out = stage.write('/tmp/said-peer', '', 0o666);
      const one = await stage.top.begin({
        file: '/bin/sh',
        argv: ['sh', '-c', `exec ${line}`],
        env: { ...curfewEnvironment(stage), TERM: 'xterm' },
        cwd: stage.home,
        setsid: true,
        fds: { 0: '/dev/null', 1: out, 2: out },
      });
      await stage.until(`${name} has ended`, () => !stage.lives(one), 240);
      return performance.now() - beganMs;
    };
    if (before !== undefined) await run(before);
    await endings.killed(stage, killed);
    // Each look of the peers is at the same state: what dies with its agent has died.
    await stage.until('the killed session has ended', () => killed.agents.every((one) => !stage.lives(one)));
    const left = stage.table();
    const isLeft = (one: Identity): boolean => left.some((row) => row.pid === one.pid && row.start === one.start);
    const port3917 = left.filter(({ argv }) => argv.join(' ').includes('http.server 3917'));
    const due = port === true ? port3917 : [...killed.servers, ...killed.commands].filter(isLeft);
    const innocent = [
      ...living.agents,
      ...living.servers,
      ...living.commands,
      ...[users, client].map(({ pid }) => stage.identity(pid)),
    ].filter(isLeft);
    const tookMs = await run(command);
    const ended = due.filter((one) => !stage.lives(one)).length;
    const hit = innocent.filter((one) => !stage.lives(one)).length;
    const isTaken = stage.table().some(({ argv }) => argv.join(' ').includes('-m http.server 3917'));
    console.log(name, ended, due.length, hit, innocent.length, isTaken, stage.read('/tmp/said-peer').slice(-700));
    return [
      name,
      `${ended} of ${due.length}`,
      `${hit} of ${innocent.length}`,
      isTaken ? 'taken' : 'free',
      `${(tookMs / 1000).toFixed(1)} s`,
    ];
  } finally {
    await stage.close();
  }
};

const wanted = new RegExp(process.env['CURFEW_TEST_ONLY'] ?? '', 'u');
const rows: (readonly string[])[] = [];
for (const peer of peersPlayed.filter(({ name }) => wanted.test(name))) rows.push(await play(peer));
const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
writeFileSync(
  join(import.meta.dirname, '../../../docs/records/peers.md'),
  `# Curfew beside others: the record

Written by \`npm run measure:peers\` on ${new Date().toISOString().slice(0, 10)}, on one machine, one after the other. Each program had a world of its own: two sessions of the real ${claude.name} with four servers each (13 processes), ten shapes of commands that go on, and a server on port 3917 that its command starts anew; a program of the user and one that waits beside them. One session was killed. What it left is due; the other session and the user's programs must live. Of what is due a few processes are helpers that end with what they helped.

| program | due, and ended | innocents hit | port 3917 | took |
| --- | --- | --- | --- | --- |
${table}

zclean saw all processes as two days old, because it takes no server younger than an hour. It and cc-reaper were taken from their repositories (0a060c6, 8f809b5), kill-port 2.0.1 and fkill-cli 9.0.0 from npm. The three programs that are told a port were asked about that port alone: there, due are the server and the command that starts it anew.
`,
);
