import { byKey } from '../../../app/format/said.ts';
import { worded, words } from '../common/words.ts';
import { saidOf } from '../../../app/text/say.ts';
import { homedir } from 'node:os';
import { placesHere } from '../../store/places.ts';
import { formatAge } from '../../../app/format/age.ts';
import { openService } from '../../interface/service.ts';
import type { CurfewService } from '../../interface/curfew-service.ts';
import { openInBrowser, whyNoBrowser } from '../../os/programs/open-in-browser.ts';
import { supervisorOf } from '../../store/supervisor-lock.ts';
import { SupervisionTaken } from '../../home/watch-session.ts';
import {
  freshAddress,
  readEndpoint,
  removeEndpoint,
  removeOpenFile,
  writeEndpoint,
  writeOpenFile,
  type Address,
} from '../../web/endpoint.ts';
import { browsersFile, forgetBrowsers } from '../../web/browsers-file.ts';
import { Downloads, type PageFile, pageFolder, pageSurface, readPageFiles } from '../../web/page-files.ts';
import { PortTaken } from '../../web/listen.ts';
import { newTokenKey } from '../../web/login-token.ts';
import { servePage, type PageServer, type PageServerOptions } from '../../web/serve.ts';
import { type ExitStatus, notDone, exitStatus, NotDone } from '../common/exit-status.ts';
import { openMetrics, type OpenMetrics } from '../common/open-metrics.ts';
import { type Output, writeJsonLine } from '../common/output.ts';
import { untilTold } from '../common/until-told.ts';
import { system } from '../../os/this-system.ts';

/** Options of `curfew web`, checked. */
export interface WebOptions {
  readonly json: boolean;
  readonly uid: number | null;
  /** Null: the usual one, or any if that is taken. */
  readonly port: number | null;
  /** Where numbers for Prometheus are served; 0: any free port; null: nowhere. */
  readonly metricsPort: number | null;
  /** Open a browser where possible. */
  readonly open: boolean;
  /** What the page shows first; empty: the jobs. */
  readonly place: '' | '/example';
}

/**
 * The same each time, so that an open page and a forwarded port (`ssh -L`) find a restarted Curfew
 * again: CURFE on a telephone's keys. On a machine shared with untrusted users, use `--port 0`:
 * while no Curfew runs, any user may listen on a known port.
 */
const usualPort = 28_733;

const pageFiles = (): ReadonlyMap<string, PageFile> => {
  const folder = pageFolder(import.meta.dirname);
  const files = folder === null ? null : readPageFiles(folder);
  if (files !== null) return files;
  throw notDone(
    'the page is not there (build/out/renderer): run `npm run build` in the checkout, or install curfew again',
  );
};

/** Prints the address, and opens it if wanted and possible. */
const tell = async (
  address: Address,
  state: string,
  options: WebOptions,
  output: Output,
  already: boolean,
): Promise<void> => {
  const why = whyNoBrowser(system, process.env);
  const opens = options.open && why === null;
  const opened = opens && openInBrowser(writeOpenFile(state, address), process.env);
  if (opens && !opened) removeOpenFile(state);
  if (options.json) {
    const expiresAt = new Date(address.expiresAtMs).toISOString();
    const port = Number(new URL(address.url).port);
    await writeJsonLine(output, { schema: 1, url: address.url, port, expiresAt, opened, already });
    return;
  }
  await output.write(`${address.url}\n`);
  if (options.open && !opened)
    output.warn(worded('curfew: no browser was opened: {why}', { why: byKey(why ?? 'nothing here opens files') }));
  output.warn(
    worded(
      'curfew: the address signs one browser in, once, within {age}; `curfew web` in another terminal prints a new one',
      { age: formatAge(Math.round((address.expiresAtMs - Date.now()) / 1000)) },
    ),
  );
};

/**
 * Prints an address of another `curfew web` of this home.
 * @throws NotDone when another kind of supervisor runs
 */
const tellOther = async (taken: SupervisionTaken, options: WebOptions, output: Output): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  // The lock is held, so the name in it is right; there is no need to check that it lives.
  const holder = supervisorOf(places.lock, () => true);
  const endpoint =
    holder === null || holder === 'unknown' || holder.what !== 'web' ? null : readEndpoint(places.state, holder.pid);
  if (endpoint === null) throw new NotDone(saidOf(taken), { cause: taken });
  if (options.port !== null && options.port !== endpoint.port)
    throw notDone('`curfew web` runs already, on port {port}: end that one first', { port: endpoint.port });
  if (options.metricsPort !== null) throw notDone('`curfew web` runs already: to serve metrics, end that one first');
  if (!options.json) output.warn(worded('curfew: `curfew web` runs already; this is another address of it'));
  await tell(freshAddress(endpoint, Date.now(), options.place), places.state, options, output, true);
  return exitStatus.done;
};

const serve = async (
  port: number | null,
  options: Omit<PageServerOptions, 'port'>,
  output: Output,
): Promise<PageServer> => {
  try {
    return await servePage({ ...options, port: port ?? usualPort });
  } catch (error) {
    if (!(error instanceof PortTaken)) throw error;
    if (port !== null) throw new NotDone(saidOf(error), { cause: error });
    output.warn(
      worded(
        'curfew: another program holds port {port}, so the page is at another one; what is open at that port is not Curfew',
        { port: usualPort },
      ),
    );
    return servePage({ ...options, port: 0 });
  }
};

/** `curfew web --sign-out`: signs out every browser, also those of a `curfew web` that runs. */
export const signOut = async (output: Output): Promise<ExitStatus> => {
  forgetBrowsers(placesHere(homedir()).state);
  await output.write(`${worded('Every browser is signed out.')}\n`);
  return exitStatus.done;
};

/** `curfew web`: the supervisor with the interface on a loopback page, until it gets a signal. */
export const web = async (options: WebOptions, output: Output): Promise<ExitStatus> => {
  const files = pageFiles();
  const places = placesHere(homedir());
  const { state } = places;
  const { promise: quit, resolve: endIt } = Promise.withResolvers<'quit'>();
  const told = Promise.race([untilTold(), quit]);
  const downloads = new Downloads();
  const surface = pageSurface(downloads, () => endIt('quit'));
  let service: CurfewService;
  try {
    service = await openService({ what: 'web', surface, uid: options.uid, warn: output.warn });
  } catch (error) {
    if (error instanceof SupervisionTaken) return tellOther(error, options, output);
    throw error;
  }
  const { promise: lost, resolve: lose } = Promise.withResolvers<NotDone>();
  service.subscribe((event) => {
    if (event.kind === 'lost') lose(new NotDone(event.problem));
  }, 'moments');
  let server: PageServer | null = null;
  let metrics: OpenMetrics | null = null;
  try {
    metrics = await openMetrics(options.metricsPort, places, output.warn);
    const tokenKey = newTokenKey();
    server = await serve(
      options.port,
      {
        service,
        files,
        downloads,
        words,
        tokenKey,
        browsers: browsersFile(state, service.report),
        entered: () => removeOpenFile(state),
      },
      output,
    );
    const endpoint = { pid: process.pid, port: server.port, tokenKey };
    writeEndpoint(state, endpoint);
    await tell(freshAddress(endpoint, Date.now(), options.place), state, options, output, false);
    const why = await Promise.race([told, lost]);
    if (why instanceof NotDone) throw why;
    return exitStatus.done;
  } finally {
    // Reapings first, so that the page shows their end.
    await service.stop();
    await Promise.all([server?.close(), metrics?.close()]);
    removeEndpoint(state);
  }
};
