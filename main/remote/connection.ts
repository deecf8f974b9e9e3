import type { Said } from '../../app/format/said.ts';
import { listed, say } from '../../app/text/say.ts';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { environmentNames } from '../../app/agents/signatures.ts';
import { type AnswerSections, parseAnswer } from '../../app/remote/answer.ts';
import { isHostName } from '../../app/remote/host-list.ts';
import { problemSaid } from '../../app/remote/host-problem.ts';
import { exchange } from '../os/programs/exchange.ts';
import { HostFailure } from './host-failure.ts';

/** Seconds until a machine that doesn't take the connection counts as out of reach. */
const connectSeconds = 10;
/** Two of these without an answer, and a connection counts as dead; seconds. */
const aliveSeconds = 5;
/** Seconds a shared connection stays unasked: longer than the pause between two looks. */
const persistSeconds = 90;
const maxAnswerMs = 25_000;
/** Longer answers are refused. 8,000 processes with 50 open files each make about 30 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** What ssh exits with when it is its own fault, not the command's. ssh(1), EXIT STATUS */
const sshFailed = 255;

/** Whatever the user configured: no question, terminal, forwarding, own command. ssh_config(5) */
const options: readonly string[] = [
  'BatchMode=yes',
  'NumberOfPasswordPrompts=0',
  `ConnectTimeout=${connectSeconds}`,
  'ConnectionAttempts=1',
  `ServerAliveInterval=${aliveSeconds}`,
  'ServerAliveCountMax=2',
  'ClearAllForwardings=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'RequestTTY=no',
  'EscapeChar=none',
  'LogLevel=ERROR',
];

/** Our environment without agents' markers: our connection is no job at either end (SendEnv). */
const ownEnvironment = (): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !environmentNames.has(name)) environment[name] = value;
  return environment;
};

/** A question: a script, and lines of data for it, which are never a part of the script. */
export interface Question {
  /** POSIX shell; defines `curfew_answer`, called with the token as its first argument. */
  readonly script: string;
  /** Standard input, a character a byte. Lines begin with Curfew's word: none ends the data. */
  readonly lines: readonly string[];
  /** Instead of the usual time for an answer, milliseconds. */
  readonly timeoutMs?: number;
}

const dataEnd = 'CURFEW_DATA_ENDS';

/** Asks one machine over the system's ssh. All questions go through one shared connection. */
export class SshConnection {
  readonly host: string;
  readonly #socket: string | null;
  readonly #ending = new AbortController();
  #used = false;

  /**
   * @param host as the user named it
   * @param socket where the shared connection's socket is to be; null: none is shared
   * @throws HostFailure for a name that may not be handed to ssh
   */
  constructor(host: string, socket: { readonly folder: string; readonly name: string } | null) {
    this.host = host;
    this.#socket = socket === null ? null : join(socket.folder, socket.name);
    if (!isHostName(host)) throw new HostFailure(host, { code: 'other', detail: say('this is no name of a host') });
  }

  /** Asks. Throws HostFailure unless the whole answer came, with what came of it. */
  async ask({ script, lines, timeoutMs = maxAnswerMs }: Question): Promise<AnswerSections> {
    const token = randomBytes(16).toString('hex');
    // Of a character beyond a byte its lower byte is sent: U+010A as a line break.
    if (lines.some((line) => /[\n\0]|[^\0-\u00FF]/u.test(line)))
      throw new TypeError('a line of data holds a line break, or a character that is no byte');
    // The call stands last: of a script that broke off on the way nothing is carried out.
    const text = `${script}\ncurfew_answer ${token} <<'${dataEnd}'\n${lines.join('\n')}\nend\n${dataEnd}\n`;
    this.#used = true;
    const { answer, said, end } = await exchange({
      command: ['ssh', ...this.#arguments(), '-T', '-x', '-a', '--', this.host, 'exec /bin/sh'],
      input: Buffer.from(text, 'latin1'),
      environment: ownEnvironment(),
      timeoutMs,
      maxBytes: maxAnswerBytes,
      signal: this.#ending.signal,
    });
    const parsed = parseAnswer(answer.toString('latin1'), token);
    const partial = parsed.ok ? parsed.sections : null;
    const fail = (code: HostFailure['problem']['code'], detail: Said): never => {
      throw new HostFailure(this.host, { code, detail }, partial);
    };
    switch (end.kind) {
      case 'not-started':
        return fail('no-ssh', '');
      case 'too-much':
        return fail('senseless', say('its answer is longer than {count} MB', { count: maxAnswerBytes / 1024 / 1024 }));
      case 'too-long':
        // Whatever hangs, the next question is not to wait for the same connection.
        await this.#endShared();
        return fail('silent', '');
      case 'aborted':
        return fail('broken', say('Curfew ended it'));
      case 'exited':
    }
    if (parsed.ok && parsed.whole) return parsed.sections;
    // Of a server that greets and then says nothing ssh says nothing either (OpenSSH 9.2, after
    // ServerAliveInterval times ServerAliveCountMax).
    if (end.status === sshFailed && said.trim() === '' && answer.length === 0) return fail('silent', '');
    if (end.status === sshFailed) throw new HostFailure(this.host, problemSaid(said), partial);
    if (!parsed.ok)
      return fail(
        'senseless',
        said.trim() === '' ? parsed.problem : listed([parsed.problem, said.trim().slice(0, 200)], ': '),
      );
    return fail('broken', said.trim().slice(0, 200));
  }

  /** Ends the shared connection and a waiting question; nothing is asked after. Never throws. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#endShared();
  }

  async #endShared(): Promise<void> {
    if (this.#socket === null || !this.#used) return;
    this.#used = false;
    await exchange({
      command: ['ssh', '-o', `ControlPath=${this.#socket}`, '-O', 'exit', '--', this.host],
      input: new Uint8Array(),
      environment: ownEnvironment(),
      timeoutMs: 2_000,
      maxBytes: 4_096,
    });
  }

  #arguments(): readonly string[] {
    const shared =
      this.#socket === null
        ? ['ControlMaster=no', 'ControlPath=none']
        : ['ControlMaster=auto', `ControlPath=${this.#socket}`, `ControlPersist=${persistSeconds}`];
    return [...options, ...shared].flatMap((option) => ['-o', option]);
  }
}
