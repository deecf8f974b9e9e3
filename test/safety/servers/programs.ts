import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Innocent, innocentProgram } from '../../os/scene/innocents.ts';
import { preambleOf } from '../../os/scene/habits.ts';
import type { Scene } from '../../os/scene/scene.ts';
import { diaryOf, portOf } from '../commands.ts';
import type { ServerKind } from './kinds.ts';

const parts = readFileSync(join(import.meta.dirname, '../programs/server.pl'), 'utf8');
const node = '/tmp/scene/bin/node';
const chrome = '/tmp/scene/opt/google/chrome/chrome';
const handler = '/tmp/scene/opt/google/chrome/chrome_crashpad_handler';

/** The socket of a server, a daemon or a program of the user. */
export const socketOf = (number: number): string => `/tmp/scene/socket-${number}`;

/** How a server is started, and how many of its processes say that they run. */
export interface ServerProgram {
  readonly file: string;
  readonly argv: readonly [string, ...string[]];
  readonly workers: number;
}

/** What one process of a server is: perl that runs before and after it says that it runs. */
interface Script {
  readonly name: string;
  readonly prepare?: string;
  readonly afterwards?: string;
  readonly deaf?: true;
  /** It reads its input. */
  readonly reads?: false;
  readonly port?: true;
  /** It takes one client at its port. */
  readonly accepts?: true;
}

/** The numbers that a server goes by. */
export interface ServerNumbers {
  /** In the argv of all of it. */
  readonly number: number;
  /** In the argv of the daemon that it detaches. */
  readonly daemon: number;
  /** Of the socket of a program of the user. */
  readonly user: number;
}

const folderOf = (stage: Scene): string => `${stage.home}/.local/share/mcp`;

const pathOf = (stage: Scene, number: number, name: string): string =>
  `${folderOf(stage)}/mcp-server-job-${number}${name}.js`;

const write = (stage: Scene, number: number, script: Script): string => {
  const setsid = process.arch === 'x64' ? 112 : 157;
  const preamble = [
    `our $DIARY = '${diaryOf(number)}'; our $SETSID = ${setsid}; our $SERVER = ${script.reads === false ? 0 : 1};`,
    script.deaf === true ? 'our $DEAF = 1;' : '',
    script.port === true ? `our $PORT = ${portOf(number)};` : '',
    script.accepts === true ? 'our $ACCEPTS = 1;' : '',
    // Handles that it keeps open.
    `our @KEPT; our $PREPARE = sub { ${script.prepare ?? ''} }; our $AFTERWARDS = sub { ${script.afterwards ?? ''} };`,
    parts,
  ].join('\n');
  return stage.script(pathOf(stage, number, script.name), preamble, 'worker.pl');
};

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Perl that starts a part. */
const start = (file: string, argv: readonly string[], how = ''): string =>
  `part(file => '${file}', argv => [${quoted(argv)}], ${how});`;

const nowhere = "'/dev/null'";
const answer = 'accept(my $c, $l) or die "accept: $!"; push @KEPT, $c;';

/**
 * A process of a browser, which ends with it: when the other end of its channel is closed. It keeps
 * no diary, since it may have ended by itself before it hears anything.
 */
const partOfBrowser = (stage: Scene, number: number, name: string): string => {
  const preamble = [
    `our $DIARY = '${diaryOf(number)}${name}'; our $SERVER = 1;`,
    "our $PREPARE = sub { open(our $channel, '<&=', $ENV{CHANNEL}) or die };",
    'our $AFTERWARDS = sub { sysread($channel, my $text, 1); exit 0 };',
  ].join('\n');
  return stage.script(pathOf(stage, number, name), preamble, 'worker.pl');
};

/** A browser that a server drives: it, a process of it, and a handler of its crashes. */
const browserOf = (stage: Scene, number: number, isHeaded: boolean): string => {
  stage.program(chrome);
  stage.program(handler);
  const profile = `--user-data-dir=/tmp/puppeteer_dev_chrome_profile-job-${number}`;
  const renderer = partOfBrowser(stage, number, '-renderer');
  const crashes = partOfBrowser(stage, number, '-crashes');
  // Only the far end goes on to what is started.
  const channel = 'my $there = channel();';
  const has = "ends => ['/dev/null'], env => { CHANNEL => fileno($there) }";
  const browser = write(stage, number, {
    name: '-browser',
    reads: false,
    port: true,
    accepts: true,
    prepare: isHeaded
      ? ''
      : `{ ${channel} ${start(chrome, ['/opt/google/chrome/chrome', renderer, '--type=renderer', '--headless', profile], has)} }
        { ${channel} ${start(handler, ['/opt/google/chrome/chrome_crashpad_handler', crashes, '--monitor-self'], `${has}, apart => 1`)} }
        until (-s '${diaryOf(number)}-renderer' && -s '${diaryOf(number)}-crashes') { select(undef, undef, undef, 0.02) }`,
  });
  const options = [...(isHeaded ? [] : ['--headless']), '--remote-debugging-port=0', profile];
  return `pipe(my $errors, my $write) or die; push @KEPT, $errors;
    ${start(chrome, ['/opt/google/chrome/chrome', browser, ...options], `apart => 1, ends => [${nowhere}, ${nowhere}, $write]`)}
    close $write;
    socket(my $driving, 2, 1, 0) or die; push @KEPT, $driving;
    until (connect($driving, pack('S n C4 x8', 2, ${portOf(number)}, 127, 0, 0, 1))) { select(undef, undef, undef, 0.02) }`;
};

const works = (number: number): string =>
  `open(my $out, '+>', '/tmp/scene/works-${number}') or die;
  while (1) { sysseek($out, 0, 0); syswrite($out, 'x' x 10_000); select(undef, undef, undef, 0.05) }`;

const partOf = (stage: Scene, number: number, name: string, how: string): string =>
  start(node, [node, write(stage, number, { name, reads: name === '-helper' ? undefined : false } as Script)], how);

/** Writes what a server of that kind runs, and says how it is started. */
export const writeServer = (stage: Scene, kind: ServerKind, { number, daemon, user }: ServerNumbers): ServerProgram => {
  stage.program(node);
  const its = socketOf(number);
  const listen = `my $l = listening_at('${its}'); push @KEPT, $l;`;
  const plain = (script: Omit<Script, 'name'> = {}, workers = 1): ServerProgram => ({
    file: node,
    argv: [node, write(stage, number, { name: '', ...script })],
    workers,
  });
  const behindShell = (script: Omit<Script, 'name'> = {}): readonly ['sh', '-c', string] => [
    'sh',
    '-c',
    `${node} ${write(stage, number, { name: '', ...script })}; true`,
  ];
  switch (kind) {
    case 'direct':
    case 'language':
    case 'hook':
    case 'held':
    case 'marked-kept':
      return plain();
    case 'stubborn':
      return plain({ deaf: true });
    case 'spins':
      // Others want the processor as well.
      return plain({ afterwards: 'setpriority(0, 0, 19); while (1) { sysread(STDIN, my $text, 1) }' });
    case 'works':
      return plain({ afterwards: works(number) });
    case 'own-pair':
      return plain({ prepare: 'socketpair(my $a, my $b, 1, 1, 0) or die; push @KEPT, $a, $b;' });
    case 'behind-sh':
    case 'reconnected':
      return { file: '/bin/sh', argv: behindShell(), workers: 1 };
    case 'behind-npx':
    case 'stubborn-behind-npx': {
      const shell = behindShell(kind === 'behind-npx' ? {} : { deaf: true });
      const npm = write(stage, number, { name: '-npx', prepare: start('/bin/sh', shell) });
      // Its title, padded as npm leaves it.
      return { file: node, argv: [`npm exec mcp-server-job-${number}${' '.repeat(30)}`, npm], workers: 2 };
    }
    case 'talks':
      return plain(
        {
          prepare: `socketpair(my $here, my $there, 1, 1, 0) or die; push @KEPT, $here;
            ${partOf(stage, number, '-helper', 'apart => 1, ends => [$there, $there]')} close $there;`,
        },
        2,
      );
    case 'drives':
    case 'driver-gone':
      return plain({ prepare: browserOf(stage, number, false) }, 2);
    case 'headed':
      return plain({ prepare: browserOf(stage, number, true) }, 2);
    case 'dials':
      return plain({ prepare: `push @KEPT, connected_to('${socketOf(user)}');` });
    case 'listens':
      return plain({ prepare: listen });
    case 'listens-port':
      return plain({ port: true });
    case 'used':
      return plain({ prepare: `${listen} ${answer}` });
    case 'answers':
    case 'answered':
      return plain({ prepare: `my $l = listening_at('${its}'); ${answer} close $l; unlink '${its}';` });
    case 'apart':
      return plain({ prepare: `${partOf(stage, number, '-apart', 'apart => 1')} exit 0;` });
    case 'left':
      return plain({ prepare: `${partOf(stage, number, '-left', `ends => [${nowhere}]`)} exit 0;` });
    case 'kept-below':
      return plain({ prepare: partOf(stage, number, '-kept', `ends => [${nowhere}], env => { CURFEW_KEEP => 1 }`) }, 2);
    case 'detaches':
    case 'feeds-daemon': {
      const feeds = kind === 'feeds-daemon';
      const path = socketOf(daemon);
      const script = write(stage, daemon, {
        name: '-daemon',
        reads: false,
        // The server and a program of the user.
        ...(feeds ? { prepare: `my $l = listening_at('${path}'); push @KEPT, $l; for (1 .. 2) { ${answer} }` } : {}),
      });
      const log = `'/tmp/scene/daemon-${daemon}.log'`;
      const detach = start(node, [node, script, '--daemon'], `detached => 1, ends => [${nowhere}, ${log}, ${log}]`);
      return plain({ prepare: `${detach} ${feeds ? `push @KEPT, connected_to('${path}');` : ''}` });
    }
  }
};

/** The servers that detach a daemon. */
export const daemonKinds: ReadonlySet<ServerKind> = new Set(['detaches', 'feeds-daemon']);

let names = 0;

/** A program of the user that is a client at a socket, or listens there. */
export const userProgram = async (stage: Scene, does: 'connects' | 'listens', path: string): Promise<Innocent> => {
  stage.program(node);
  const script = `/tmp/work/user-${names++}.js`;
  const own = innocentProgram(stage, script);
  const socket = does === 'connects' ? `connected_to('${path}')` : `listening_at('${path}')`;
  stage.script(script, `${parts}\n${preambleOf({ diary: own.diary })} our $KEPT = ${socket};`, 'resident.pl');
  await stage.top.begin({
    file: node,
    argv: [node, script],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
  });
  return own.ready();
};
