import { baseName } from '../../paths/path.ts';
import { type ArgumentRule, rulesByProgram } from './argument-rules.ts';
import { isHarmlessValue, isMadeUpPassword, isPlace, isSecretName, isSentence, isTag } from './secret-names.ts';

/** A secret in a command: a word's index, and the offset from which the rest is secret. */
export interface SecretWord {
  readonly word: number;
  readonly from: number;
}

/** Secrets of one command, and whether its standard input is one. */
export interface SecretWords {
  readonly hidden: readonly SecretWord[];
  readonly stdin: boolean;
  /** Its input is a secret where it looks like a password. */
  readonly maybe: boolean;
}

/** A rule whose program occurs in a command. */
interface Active {
  readonly rule: ArgumentRule;
  /** Number of words of `after` seen so far. */
  seen: number;
  operands: number;
  lastCounts: boolean;
  lastOperand: number;
  /** Role of the next word: a secret, a pair, an assignment; null: none. */
  expects: 'secret' | 'pair' | 'assigned' | 'passed' | null;
}

/** True if a word says that an assignment follows: `config set NAME VALUE`. */
const setting =
  /^(?:set|SET|setx|setenv|putenv|--arg|--argjson|config|configure|user-secrets|[\w-]*:set|-[gU]*x[gUx]*)$/u;
const storing = /^(?:set|put|add|create|patch|update|import|write|config:set|env:set|secrets:set)$/u;
const store = /^(?:secrets?|keyvault|credentials?|config:set|env:set|secrets:set)$/u;
/** A command about secrets, no name of one: `config set-credentials NAME`. */
const doing = /^(?:set|get|list|use|delete|unset|rename|create|add|remove|show|view)-/u;
/** With one dash, and no `-p` with a value behind it. */
const spelled = /^-(?:pass|passwd|password|passphrase|token|secret)$/u;
/** What signs in with a token: `wandb login TOKEN`, `b2 account authorize ID TOKEN`. */
const signingIn = /^(?:login|auth|authenticate|authorize|activate|connect|set-token|[a-z-]*authtoken)$/u;
/** The programs whose `-p` or `-P` is something else than a password. */
const otherPassword =
  /^(?:cargo|rustc|tsc|npx|npm|pnpm|bunx?|deno|node|gradlew?|mvnw?|dotnet|claude|codex|gemini|qwen|opencode|cp|mv|tar|mkdir|install|touch|[nv]?vim?|less|ps|lsof|strace|kill|taskset|perl|patch|pytest|python[\d.]*|uv|conda|read|ssh|scp|sftp|[efrz]?grep|rg|ag|ack|git|find|xargs|rsync|cmake|make|meson|go|swift|xcodebuild|colcon|docker|podman|compose|kubectl|tmux|jq|sed|awk|nmap|p4|screen|date|stat|column|paste|pstree|realpath|yt-dlp|wget2?|pv|qemu-img|parted|h?top|gdb|perf|lpr?|diff|mount|watch|dig|psql|ss|netstat|nc|cpio|zstd|ffmpeg|ninja|bazel|vagrant|adb|flutter|dart|php|composer|ruby|bundle|rspec|sbt|ghc|stack|cabal)$/u;
/** Programs whose operands are texts to look for, files or tests. */
const searching =
  /^(?:[efrz]?grep|rg|ag|ack|git|find|cat|less|head|tail|[nv]?vim?|code|sed|awk|jq|make|[np]npm|npm|npx|yarn|bunx?|deno|node|jest|vitest|pytest|python[\d.]*|cargo|go|echo|printf)$/u;
/** Options whose value may be `name:password` or `name%password`. */
const pairOption = /^(?:-[uUnac]|-id|--?(?:auth|user|cred|login|account|http|basic|proxy)[\w-]*)$/u;
const signedPair = /^[^\s:%,]+[:%,](?!\d+$)(\S+)$/u;
/** Letters of options that are a password's beside one of a name. */
const beside = /^(?:-[pPwWkKsSva]|\/[pP])$/u;
/** Programs that take any text as their input. */
const takingText =
  /^(?:tr|wc|cut|sort|uniq|bc|dc|xxd|od|rev|fold|fmt|read|xargs|tee|iconv|hexdump|base(?:32|64)|(?:md5|sha\d*|b2|ck)sum|shasum|figlet|cowsay|say|espeak|x(?:clip|sel)|wl-copy|pbcopy|curl|bash|sh|zsh|python[\d.]*|mail|nc|socat|column|gzip|openssl)$/u;
/** Words behind which a password stands: `user password me X`, `users add me X`. */
const aboutPassword =
  /^(?:--?)?(?:[a-z]+[._-])*(?:(?:ht)?pass(?:word|wd|code|phrase)?[a-z]*|psk|pin|secret|token|login|unlock|register|authorize|activate)$/u;
const accounts = /^(?:users?|accounts?|clients?|members?):?$/u;
const adding = /^(?:add|create|new|update|set|mod(?:ify)?|passwd|reset)$/u;
/** An option by which any program reads a secret: `--password-stdin`, `--passwd-on-stdin`. */
const fromInput = /^(?:--?)?(?:pass|token|secret|credential|auth)[\w-]*[-_]stdin(?:=true)?$/u;
/** A subcommand that makes its last operand a secret: `change_password`, `set-agent-token`. */
const making =
  /^(?=.*(?:set|change|reset|add|update|user)[-_:])[a-z]+(?:[-_:][a-z]+)*[-_:](?:password|passwd|pw|pin|token|secret)$/u;
/** What no word for a name or a mode has. */
const isMadeUp = (word: string): boolean => /\d|[^\w@./-]|[a-z][A-Z]|^(?:[a-z]{4}-){3}[a-z]{4}$/u.test(word);
/** Options with a name to sign in with; the programs whose `-u` is another's, or has no value. */
const userOption = /^(?:-[uU]|--user(?:name)?)$/u;
const otherUser =
  /^(?:sudo|doas|runuser|su|setpriv|docker|podman|nerdctl|chroot|systemd-run|machinectl|git|cp|rsync|tar|mkdir|patch|diff|install)$/u;
const userName = /^[\w@\\.-]+$/u;
const isFile = /\.(?:[cm]?[jt]sx?|py|rb|sh|pl|php|lua)$/u;
const token = /^(?=.*\d)[A-Za-z\d_-]{20,}$/u;
const assignment = /^[A-Za-z_][\w.-]*=/u;

/** Text before the secret in an address or header; only the shell's own quotes are gone here. */
const beforePassword = /:\/\/[^\s/:@'"?#]*:(?=[^\s/'"?#]+@)/u;
const beforeToken = /https?:\/\/(?=[^\s/:@'"?#]+(?::(?:x-oauth-basic)?)?@)/u;
const header = /^([A-Za-z][\w-]*):(?!:)\s*/u;
const scheme = /^(?:bearer|basic|token|digest|negotiate|apikey|key)\s+/iu;

const programName = (word: string): string => baseName(word).replace(/\.exe$|(?<=.)@[^@]*$/iu, '');

const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

/** Length of the option that a word's value follows: `-u`, `--user=`; 0: none. */
const optionLength = (word: string, options: readonly string[]): number => {
  for (const option of options) {
    if (option.startsWith('--') || option.length > 2) {
      if (word.startsWith(`${option}=`)) return option.length + 1;
    } else if (word.startsWith(option) && word.length > option.length) return option.length;
  }
  return 0;
};

/** Finds secrets in the words of one command. Time is linear in the number of words. */
class Finder {
  readonly #words: readonly string[];
  readonly #active: Active[] = [];
  readonly #known = new Set<string>();
  readonly #hidden: SecretWord[] = [];
  #stdin = false;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  find(): SecretWords {
    // `read PASSWORD`, from a pipe or a here-string.
    if (this.#words[0] === 'read' && this.#words.some(isSecretName)) this.#stdin = true;
    for (const [index, word] of this.#words.entries()) {
      for (const active of this.#active) this.#follow(active, word, index);
      this.#start(programName(word));
      this.#findInWord(word, index);
    }
    for (const { rule, lastCounts, lastOperand, operands } of this.#active)
      if ((rule.last !== null && lastCounts && operands > 1) || (rule.final && operands > 0))
        this.#hide(lastOperand, 0);
    this.#findSettings();
    this.#findUpload();
    this.#findFormat();
    this.#findSignIn();
    this.#findOperands();
    this.#findMade();
    if (this.#words.some((word) => fromInput.test(word))) this.#stdin = true;
    const program = programName(this.#words[0] ?? '');
    return { hidden: this.#hidden, stdin: this.#stdin, maybe: !takingText.test(program) && !searching.test(program) };
  }

  #start(program: string): void {
    const rules = rulesByProgram().get(program);
    if (rules === undefined || this.#known.has(program)) return;
    this.#known.add(program);
    for (const rule of rules) {
      this.#active.push({ rule, seen: 0, operands: 0, lastCounts: false, lastOperand: 0, expects: null });
      if (rule.after.length === 0 && rule.stdin.has('*')) this.#stdin = true;
    }
  }

  #hide(word: number, from: number): void {
    if (from < (this.#words[word]?.length ?? 0)) this.#hidden.push({ word, from });
  }

  #hideBehind(word: number, mark: string, from: number): void {
    const at = this.#words[word]?.indexOf(mark, from) ?? -1;
    if (at > from) this.#hide(word, at + mark.length);
  }

  #follow(active: Active, word: string, index: number): void {
    const { rule } = active;
    if (active.seen < rule.after.length) {
      const awaited = rule.after[active.seen] ?? '';
      if (word === awaited || word.startsWith(`${awaited}.`)) active.seen += 1;
      if (active.seen === rule.after.length && rule.stdin.has('*')) this.#stdin = true;
      return;
    }
    const { expects } = active;
    active.expects = null;
    if (expects === 'pair') this.#hideBehind(index, rule.separator, 0);
    else if (expects === 'assigned') this.#hideBehind(index, '=', 0);
    else if (expects === 'secret' && !isOption(word) && !isPlace(word)) this.#hide(index, 0);
    else if (expects !== 'passed') this.#look(active, word, index);
  }

  #look(active: Active, given: string, index: number): void {
    const { rule } = active;
    const front = (rule.flags?.exec(given)?.[0].length ?? 1) - 1;
    const word = front === 0 ? given : `-${given.slice(1 + front)}`;
    if (rule.stdin.has(word)) this.#stdin = true;
    if (rule.last?.test(given) === true) active.lastCounts = true;
    if (rule.short.includes(word) || rule.next.has(word) || spelled.test(word)) active.expects = 'secret';
    else if (rule.pairs.includes(word)) active.expects = 'pair';
    else if (rule.assigned.includes(word)) active.expects = 'assigned';
    else if (rule.passed.has(word)) active.expects = 'passed';
    if (active.expects !== null) return;
    const small = word.toLowerCase();
    // A lower case prefix alone would match an option of the other case: 7z has -p and -P.
    const prefix = rule.joined.find((one) => (one.startsWith('-') ? word.startsWith(one) : small.startsWith(one)));
    if (prefix !== undefined && word.length > prefix.length) return this.#hide(index, front + prefix.length);
    const inWord = optionLength(word, [...rule.short, ...[...rule.next].filter((one) => one.startsWith('--'))]);
    if (inWord > 0) return this.#hide(index, front + inWord);
    const pair = optionLength(word, rule.pairs);
    if (pair > 0) return this.#hideBehind(index, rule.separator, front + pair);
    const assigned = optionLength(word, rule.assigned);
    if (assigned > 0) return this.#hideBehind(index, '=', front + assigned);
    if (!isOption(word)) this.#operand(active, word, index);
  }

  #operand(active: Active, word: string, index: number): void {
    const { rule } = active;
    if (rule.pairs.includes('*')) this.#hideBehind(index, rule.separator, 0);
    // Fields beside an operand that is the secret have names of their own: `role=dev`.
    if (rule.assignments && rule.operand !== Number.POSITIVE_INFINITY && assignment.test(word)) return;
    if (rule.assignments && assignment.test(word)) this.#hideBehind(index, '=', 0);
    else if (active.operands >= rule.operand) this.#hide(index, 0);
    active.operands += 1;
    active.lastOperand = index;
  }

  /** Quotes within a word hide these: `https://me:"secret"@host`, `'Authorization: 'secret`. */
  #findInWord(word: string, index: number): void {
    const address = beforeToken.exec(word) ?? beforePassword.exec(word);
    if (address !== null && !word.startsWith('***@', address.index + address[0].length))
      this.#hide(index, address.index + address[0].length);
    const [start = '', name = ''] = header.exec(word) ?? [];
    if (start === '' || !isSecretName(name)) return;
    const rest = word.slice(start.length);
    // A task or a search: `auth:login`.
    if (
      (start.endsWith(':') && /^[a-z]{3,12}$/u.test(rest)) ||
      isSentence(rest) ||
      scheme.exec(`${rest} `)?.[0] === `${rest} `
    )
      return;
    if (start.endsWith(':') && isTag(name, rest)) return;
    const from = start.length + (scheme.exec(rest)?.[0].length ?? 0);
    if (!isHarmlessValue(name, word.slice(from))) this.#hide(index, from);
  }

  /** `tool -u NAME -p VALUE`, whatever the tool: a port, a path and a pair are none. */
  #findSignIn(): void {
    // Their secret is in the word of the option; the next word is a database.
    if (this.#active.some(({ rule }) => rule.joined.includes('-p'))) return;
    const isUser = (word: string, index: number): boolean => {
      const name = this.#words[index + 1] ?? '';
      return (
        (userOption.test(word) && userName.test(name) && !isOption(name) && !isFile.test(name)) ||
        /^--user(?:name)?=\S/u.test(word)
      );
    };
    const isSignIn = !otherUser.test(programName(this.#words[0] ?? '')) && this.#words.some(isUser);
    let isOther = false;
    for (const [index, word] of this.#words.entries()) {
      isOther ||= otherPassword.test(programName(word));
      const value = this.#words[index + 1] ?? '';
      const isLikely =
        isSignIn &&
        /^[^\s/]{4,}$/u.test(value) &&
        isMadeUp(value) &&
        !/^(?:[\d.:]+|\d[\d:]*\/?\w*|[a-z]+:.*:\d+)$/u.test(value);
      const joined = isSignIn && /^-[pP]/u.test(word) ? 2 : /^[-/][pP]:/u.test(word) ? 3 : null;
      if (joined !== null && isMadeUpPassword(word.slice(joined))) this.#hide(index, joined);
      if (isOption(value)) continue;
      if (word === '-p' && isLikely) this.#hide(index + 1, 0);
      else if (isMadeUpPassword(value) && ((/^-[pP]$/u.test(word) && !isOther) || (isSignIn && beside.test(word))))
        this.#hide(index + 1, 0);
      const given = pairOption.test(word) ? (signedPair.exec(value)?.[1] ?? '') : '';
      if (isMadeUpPassword(given) && (word === '-u' || !value.includes(',')))
        this.#hide(index + 1, value.length - given.length);
    }
  }

  /** `login NAME VALUE`, `users add NAME VALUE`, `secretsdump.py me/NAME:VALUE`. */
  #findOperands(): void {
    // A sentence has signs that no command has.
    if (this.#words.some((word) => /\w[,;]$/u.test(word))) return;
    if (this.#words.slice(0, 3).some((word) => searching.test(programName(word)))) return;
    const script = /(?:\.py|^impacket-.+)$/u.test(programName(this.#words[0] ?? ''));
    let [isAbout, isAccount] = [false, false];
    for (const [index, word] of this.#words.entries()) {
      const given = script ? (/^[\w.-]+\/[\w.$-]+:(.+)$/u.exec(word)?.[1] ?? '') : '';
      if (given !== '') this.#hide(index, word.length - given.length);
      if (isAbout && !isOption(this.#words[index - 1] ?? '') && isMadeUpPassword(word)) this.#hide(index, 0);
      isAbout ||= index < 6 && (aboutPassword.test(programName(word)) || (isAccount && adding.test(word)));
      isAccount ||= index > 0 && accounts.test(word);
    }
    // `saslpasswd2 me`, `anydesk --set-password` read it.
    const last = this.#words.at(-1) ?? '';
    if (
      /pass(?:wd|word)\d?$/u.test(programName(this.#words[0] ?? '')) ||
      /^(?:activate|unlock|login)$/u.test(last) ||
      (isOption(last) && !last.includes('=') && aboutPassword.test(last))
    )
      this.#stdin = true;
  }

  /** `tool change_password NAME VALUE`; `tool … NAME --value VALUE` where the name says so. */
  #findMade(): void {
    const at = this.#words.slice(0, 3).findIndex((word, index) => index > 0 && making.test(word));
    const last = this.#words.length - 1;
    const value = this.#words[last] ?? '';
    if (
      at > 0 &&
      last > at &&
      !isOption(value) &&
      !isOption(this.#words[last - 1] ?? '') &&
      isMadeUp(value) &&
      !isPlace(value)
    )
      this.#hide(last, 0);
    for (const [index, word] of this.#words.entries()) {
      const name = /[\w-]+$/u.exec(this.#words[index - 1] ?? '')?.[0] ?? '';
      if (!/^(?:-v|--value)(?:=|$)/u.test(word) || !isSecretName(name)) continue;
      if (word.includes('=')) this.#hideBehind(index, '=', 0);
      else if (!isOption(this.#words[index + 1] ?? '-')) this.#hide(index + 1, 0);
    }
  }

  /** `printf 'PASSWORD=%s' VALUE`. */
  #findFormat(): void {
    const at = this.#words.findIndex((word) => programName(word) === 'printf');
    if (at === -1) return;
    const name = /(?<![\w.-])([A-Za-z_][\w.-]*)["']?\s*[=:]\s*["']?%[sq]/u.exec(this.#words[at + 1] ?? '')?.[1];
    if (name === undefined || !isSecretName(name)) return;
    for (let index = at + 2; index < this.#words.length; index += 1) this.#hide(index, 0);
  }

  /** `curl -X PUT …/db_password -d VALUE`: the address names the secret. */
  #findUpload(): void {
    if (!this.#words.some((word) => /^(?:-X)?PUT$/u.test(word))) return;
    if (!this.#words.some((word) => isSecretName(/\/([\w-]+)$/u.exec(word)?.[1] ?? ''))) return;
    for (const [index, word] of this.#words.entries())
      if (/^(?:-d|--data(?:-\w+)?)$/u.test(word) && !/^[{[@]/u.test(this.#words[index + 1] ?? ''))
        this.#hide(index + 1, 0);
  }

  /** `set NAME VALUE` with a secret name, and `NAME=VALUE` in any program's store of secrets. */
  #findSettings(): void {
    // `crudini --set FILE SECTION NAME VALUE`.
    const reach = this.#words.some((word) => programName(word) === 'crudini') ? 3 : 1;
    let sets = 0;
    let stores = false;
    let storesNow = false;
    let signs = false;
    for (const [index, word] of this.#words.entries()) {
      if (stores && storing.test(word)) storesNow = true;
      else if (storesNow && assignment.test(word)) this.#hideBehind(index, '=', 0);
      if (store.test(word)) stores = true;
      if (store.test(word) && storing.test(word)) storesNow = true;
      signs ||= signingIn.test(this.#words[index - 1] ?? '');
      if (signs && token.test(word)) this.#hide(index, 0);
      if (setting.test(word) || (reach > 1 && word === '--set')) sets = reach;
      else if (sets > 0 && !isOption(word)) {
        const value = this.#words[index + 1];
        if (
          isSecretName(word) &&
          !doing.test(word) &&
          value !== undefined &&
          !/^(?:=|for)$/iu.test(value) &&
          !isOption(value)
        )
          this.#hide(index + 1, 0);
        sets -= 1;
      }
    }
  }
}

/** Finds secrets in the words of one command by its programs. See `secretArguments`. */
export const secretWords = (words: readonly string[]): SecretWords => new Finder(words).find();
