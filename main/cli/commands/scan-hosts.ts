import { worded } from '../common/words.ts';
import { several } from '../../../app/text/form.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { closeSync, openSync } from 'node:fs';
import type { UnscannedDocument } from '../../../app/contract/views/scan.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { jsonText } from '../../../app/format/json.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { localHost, parseHostList } from '../../../app/remote/host-list.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { HostFailure } from '../../remote/host-failure.ts';
import { Hosts } from '../../remote/hosts.ts';
import { InstalledRefusal } from '../../remote/installed-curfew.ts';
import { readBounded } from '../../os/files/bounded-read.ts';
import { Turns } from '../../os/programs/turns.ts';
import { wrongCall, notDone, type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import { type Output, paint } from '../common/output.ts';
import { type ScanOptions, scannedElsewhere, scannedHere } from './scan.ts';

/** Options of a scan of several machines, checked. */
export interface ScanHostsOptions extends Omit<ScanOptions, 'host' | 'streams' | 'uid'> {
  /** Names of `--host`, in their order. */
  readonly hosts: readonly string[];
  /** A file with more; `-` is standard input. */
  readonly hostsFrom: string | null;
  /** Also those of the settings. */
  readonly allHosts: boolean;
  /** Machines that are scanned at a time. */
  readonly parallel: number;
  /** Most seconds for one machine. */
  readonly hostLimitSeconds: number;
}

/** Between two lines of progress, milliseconds. */
const progressMs = 2_000;

/** Standard input, by its descriptor. */
const standardInput = 0;

/** A list of 20,000 machines, bytes. */
const maxList = 1024 * 1024;

/** A file, a pipe (`<(…)`) or standard input, until its end. */
const listAt = (path: string): Buffer | null => {
  if (path === '-') return readBounded(standardInput, maxList);
  const descriptor = openSync(path, 'r');
  try {
    return readBounded(descriptor, maxList);
  } finally {
    closeSync(descriptor);
  }
};

const namesIn = (path: string): readonly string[] => {
  let bytes: Buffer | null;
  try {
    bytes = listAt(path);
  } catch (error) {
    throw notDone("the list of machines can't be read: {why}", { why: messageOf(error) });
  }
  if (bytes === null)
    throw wrongCall('{path} is too long for a list of machines: at most {size} are read', {
      path,
      size: formatBytes(maxList),
    });
  const text = bytes.toString('utf8');
  const { hosts, bad } = parseHostList(text);
  const [first] = bad;
  if (first === undefined) return hosts;
  throw wrongCall(
    '{path}, line {line}: {text} is no name from ~/.ssh/config or user@host; one machine a line is allowed, and # before a remark',
    { path, line: first.line, text: JSON.stringify(first.text) },
  );
};

/** What came of one machine. */
type Scanned = { readonly text: string } | { readonly problem: UnscannedDocument['problem'] };

const problemOf = (error: unknown): UnscannedDocument['problem'] => {
  if (error instanceof HostFailure) return { code: error.problem.code, text: safeName(error.message) };
  if (error instanceof InstalledRefusal) return { code: 'other', text: safeName(error.message) };
  throw error;
};

/** One machine, within its time; its connection is closed afterwards. */
const scanOne = async (
  engine: Engine,
  hosts: Hosts,
  host: string,
  options: ScanHostsOptions,
  output: Output,
): Promise<Scanned> => {
  const one: ScanOptions = { ...options, uid: null, host: host === localHost ? null : host, streams: true };
  if (one.host === null) return { text: await scannedHere(engine, one, output) };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void hosts.forget(host);
  }, options.hostLimitSeconds * 1000);
  try {
    return { text: await scannedElsewhere(engine, { hosts, host }, one, output) };
  } catch (error) {
    const problem = problemOf(error);
    return { problem: late ? problemOf(new HostFailure(host, { code: 'silent', detail: '' })) : problem };
  } finally {
    clearTimeout(timer);
    await hosts.forget(host);
  }
};

/**
 * `curfew scan` of several machines: some at a time, each within its time, printed as each is
 * done, so that memory does not grow with their number. A machine that can't be scanned is named
 * and spoils no other.
 * @throws WrongCall, NotDone
 */
export const scanHosts = async (options: ScanHostsOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({
    uid: null,
    warn: output.warn,
    onlyLooks: true,
    allServers: options.all,
    keepsNothing: (places) => keepsNothing(import.meta.filename, places),
  });
  const hosts = new Hosts(engine, { allServers: options.all });
  try {
    const named = [...options.hosts, ...(options.hostsFrom === null ? [] : namesIn(options.hostsFrom))];
    const wanted = [...new Set([...named, ...(options.allHosts ? engine.settings().hosts : [])])];
    if (wanted.length === 0)
      throw wrongCall(
        'no machine is named: --host and --hosts-from name some, `curfew settings set hosts` those of --all-hosts',
      );
    const turns = new Turns(options.parallel);
    const lost: string[] = [];
    let done = 0;
    let saidMs = performance.now();
    const one = async (host: string): Promise<void> => {
      const came = await scanOne(engine, hosts, host, options, output);
      done += 1;
      if ('problem' in came) {
        lost.push(host);
        output.warn(`curfew: ${came.problem.text}`);
        const document: UnscannedDocument = { schema: 1, host, problem: came.problem };
        if (options.json) await output.write(`${jsonText(document)}\n`);
      } else
        await output.write(options.json ? came.text : `${paint(output, 'bold', visibleText(host))}\n${came.text}\n`);
      if (done === wanted.length || performance.now() - saidMs < progressMs) return;
      saidMs = performance.now();
      output.warn(worded('curfew: {done} of {all} machines scanned', { done, all: wanted.length }));
    };
    await Promise.all(wanted.map((host) => turns.run(() => one(host))));
    if (lost.length === 0) return exitStatus.done;
    output.warn(
      worded('curfew: {lost} of {machines} could not be scanned: {names}', {
        lost: lost.length,
        machines: several(wanted.length, 'machine'),
        names: lost.map(visibleText).join(', '),
      }),
    );
    return exitStatus.notDone;
  } finally {
    await hosts.close();
    engine.close();
  }
};
