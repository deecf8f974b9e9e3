import { curfewFile } from '../scene/curfew.ts';
import { livingProcesses, type Going, type Home, newcomers, until, withHome } from './curfew-run.ts';

/** A user at a terminal: an interactive shell in a pseudo terminal, its input and output. */
export class User {
  readonly #going: Going;
  #read = 0;

  constructor(home: Home) {
    const env = { NODE: process.execPath, CURFEW: curfewFile, TERM: 'dumb', PS1: '[prompt]' };
    const shell = 'stty rows 33 cols 77; bash --norc --noprofile --noediting -i';
    this.#going = home.start('script', ['-qec', shell, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Waits until a text appears after the last match; returns the output up to it. */
  async sees(text: string | RegExp): Promise<string> {
    const look = (): string | null => {
      const fresh = this.#going.stdout().slice(this.#read);
      const found = typeof text === 'string' ? fresh.indexOf(text) : fresh.search(text);
      if (found === -1) return null;
      const length = typeof text === 'string' ? text.length : (text.exec(fresh)?.[0].length ?? 0);
      this.#read += found + length;
      return fresh.slice(0, found + length);
    };
    const shown = (): string => JSON.stringify(this.#going.stdout().slice(-400));
    return until(() => `the terminal shows ${String(text)}; it showed ${shown()}`, look);
  }

  type(text: string): void {
    this.#going.child.stdin?.write(text);
  }

  /** Types a command that runs through Curfew, and waits until the shell has echoed it. */
  async runs(command: string, by = 'run'): Promise<void> {
    this.type(`"$NODE" "$CURFEW" ${by} -- ${command}\n`);
    await this.sees('\n');
  }

  /** Asks the shell for the status of the last command. */
  async status(): Promise<number> {
    this.type('echo "status"=$?\n');
    const seen = await this.sees(/status=\d+/);
    return Number(seen.slice(seen.lastIndexOf('=') + 1));
  }

  /** Asks the shell for its jobs until one is stopped. */
  async knowsOfStop(): Promise<void> {
    for (let turn = 0; turn < 1000; turn += 1) {
      this.type('jobs; echo "ask"-ed\n');
      if ((await this.sees('ask-ed')).includes('Stopped')) return;
    }
    throw new Error('the shell never said that its job has stopped');
  }

  async leave(): Promise<void> {
    this.type('exit\n');
    await until('the terminal is closed', () => this.#going.child.exitCode !== null, 10).catch(() => null);
    this.#going.child.kill('SIGKILL');
    await this.#going.ended;
  }
}

/** Runs a test with such a user; nothing may be left of it. */
export const atTerminal = (visit: (user: User, home: Home) => Promise<void>) =>
  withHome(async (home) => {
    const before = livingProcesses();
    const user = new User(home);
    try {
      await user.sees('[prompt]');
      await visit(user, home);
    } finally {
      await user.leave();
    }
    await until('no process is left', () => newcomers(before).length === 0);
  });
