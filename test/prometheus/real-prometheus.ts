import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { prometheusPrograms } from '../../build/scripts/prometheus.ts';

/** A program that stays until `end`. */
interface Resident {
  readonly said: () => string;
  readonly end: () => Promise<void>;
}

/** Starts a program in a network namespace (null: the caller's). */
const startIn = (network: string | null, argv: readonly string[]): Resident => {
  const [file = '', ...args] = network === null ? argv : ['nsenter', `--net=${network}`, '--', ...argv];
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return {
    said: () => said,
    end: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
};

const vector = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.string(),
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

/** One line of an answer. */
export interface Answer {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const rulesAnswer = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ name: z.string(), health: z.string(), state: z.string(), lastError: z.string().optional() }),
        ),
      }),
    ),
  }),
});

const targetsAnswer = z.object({
  data: z.object({
    activeTargets: z.array(z.object({ scrapePool: z.string(), health: z.string(), lastError: z.string() })),
  }),
});

/** A running Prometheus of Debian's, which looks every two seconds. */
export class RealPrometheus {
  readonly #network: string | null;
  readonly #port: number;
  readonly #resident: Resident;
  readonly #folder: string;

  /**
   * Starts one in a network namespace (null: the caller's).
   * @param scrapes `scrape_configs`, as JSON, which is YAML
   */
  static async start(network: string | null, port: number, scrapes: readonly unknown[], rules: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-prometheus-'));
    const config = join(folder, 'prometheus.yml');
    writeFileSync(
      config,
      JSON.stringify({
        global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
        rule_files: rules,
        scrape_configs: scrapes,
      }),
    );
    const resident = startIn(network, [
      prometheusPrograms.prometheus,
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.console.templates=/nonexistent',
      '--log.level=warn',
    ]);
    const started = new RealPrometheus(network, port, resident, folder);
    await started.until('Prometheus is ready', () => started.#get('/-/ready').status === 200);
    return started;
  }

  private constructor(network: string | null, port: number, resident: Resident, folder: string) {
    this.#network = network;
    this.#port = port;
    this.#resident = resident;
    this.#folder = folder;
  }

  /** Ends it. */
  async end(): Promise<void> {
    await this.#resident.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Asks until the answer is right; says what Prometheus logged where it never is. */
  async until<Found>(what: string, ask: () => Found | false | null): Promise<Found> {
    for (let turn = 0; turn < 300; turn += 1) {
      const found = ask();
      if (found !== false && found !== null) return found;
      await pause(300);
    }
    throw new Error(`waited in vain: ${what}. Prometheus said: ${this.#resident.said().slice(-4000)}`);
  }

  /**
   * Evaluates an expression now.
   * @throws Error where it makes no sense to Prometheus
   */
  query(expression: string): readonly Answer[] {
    const { status, text } = this.#get(`/api/v1/query?query=${encodeURIComponent(expression)}`);
    if (status !== 200) throw new Error(`${expression}: ${text}`);
    return vector
      .parse(JSON.parse(text))
      .data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** The rules, as the latest evaluation left them. */
  rules() {
    return rulesAnswer.parse(JSON.parse(this.#get('/api/v1/rules').text)).data.groups.flatMap(({ rules }) => rules);
  }

  /** What is scraped, as the latest try came out. */
  targets() {
    return targetsAnswer.parse(JSON.parse(this.#get('/api/v1/targets').text)).data.activeTargets;
  }

  /** A request from inside its network, by a process of its own that can enter the namespace. */
  #get(path: string): { readonly status: number; readonly text: string } {
    const script = `const r = await fetch(process.argv[1]); console.log(JSON.stringify({ status: r.status, text: await r.text() }))`;
    const node = [process.execPath, '--input-type=module', '-e', script, `http://127.0.0.1:${this.#port}${path}`];
    const [file = '', ...args] = this.#network === null ? node : ['nsenter', `--net=${this.#network}`, '--', ...node];
    const { stdout, status } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (status !== 0) return { status: 0, text: '' };
    return z.object({ status: z.number(), text: z.string() }).parse(JSON.parse(stdout));
  }
}

/** Starts a node_exporter that has nothing but a folder of textfiles. */
export const startNodeExporter = (network: string, port: number, folder: string): Resident =>
  startIn(network, [
    prometheusPrograms.nodeExporter,
    '--collector.disable-defaults',
    '--collector.textfile',
    `--collector.textfile.directory=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);

/** Runs promtool, and returns its exit status with what it said. */
export const promtool = (
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } => {
  const { status, stdout, stderr } = spawnSync(prometheusPrograms.promtool, args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};
