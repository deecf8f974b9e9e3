import { expect, test } from 'vitest';
import { readExposition, type ReadSample } from '../../property/metrics/read-exposition.ts';
import { FakeClaude } from '../scene/claude.ts';
import { reap, runCurfew, startCurfew, type Running } from '../scene/curfew.ts';
import { scene, type Scene } from '../scene/scene.ts';

const token = '/tmp/curfew-home/metrics-token';

const asks = `const [url, token, accept] = process.argv.slice(2);
const headers = { Accept: accept, ...(token === '' ? {} : { Authorization: 'Bearer ' + token }) };
const response = await fetch(url, { headers });
console.log(response.status, response.headers.get('content-type'));
process.stdout.write(await response.text());
`;

/** Asks an address from inside the scene; the first line of the answer has status and type. */
const ask = async (stage: Scene, url: string, shown: string, accept = '*/*'): Promise<readonly [string, string]> => {
  const script = stage.write('/tmp/scene/ask.mjs', asks);
  const out = stage.write('/tmp/scene/asked', '', 0o666);
  const { pid } = await stage.top.begin({
    file: process.execPath,
    argv: [process.execPath, script, url, shown, accept],
    env: stage.userEnvironment(),
    fds: { 1: out },
  });
  await stage.top.ended(pid);
  const text = stage.read(out);
  const end = text.indexOf('\n');
  return [text.slice(0, end), text.slice(end + 1)];
};

const samplesIn = (text: string, format: 'openmetrics' | 'text'): readonly ReadSample[] =>
  readExposition(text, format).flatMap(({ samples }) => samples);

const valueOf = (samples: readonly ReadSample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value;

/** All leftover tasks of Claude Code, whatever the judge says of them. */
const leftovers = (samples: readonly ReadSample[]): number =>
  samples
    .filter(
      ({ name, labels }) =>
        name === 'curfew_leftovers' && labels['agent'] === 'claude-code' && labels['kind'] === 'task',
    )
    .reduce((sum, { value }) => sum + value, 0);

/** Waits until the supervisor has published a look with so many leftovers. */
const untilPublished = async (stage: Scene, wanted: number): Promise<void> => {
  await stage.until(`${wanted} leftovers are published`, () => {
    if (!stage.has('/tmp/curfew-home/metrics.json')) return false;
    const { facts } = JSON.parse(stage.read('/tmp/curfew-home/metrics.json')) as {
      readonly facts: { readonly jobs: readonly { readonly isLeftover: boolean; readonly jobs: number }[] };
    };
    return facts.jobs.filter(({ isLeftover }) => isLeftover).reduce((sum, { jobs }) => sum + jobs, 0) === wanted;
  });
};

const addressOf = async (stage: Scene, watch: Running): Promise<string> => {
  await stage.until('the scrape address is told', () => watch.stderr().includes('/metrics;'));
  return /metrics at (?<url>http:\S+);/u.exec(watch.stderr())?.groups?.['url'] ?? '';
};

test(
  'metrics follow a leftover from its supervisor’s look to its end, and say when no supervisor watches',
  scene(async (stage) => {
    const before = await runCurfew(stage, ['metrics']);
    expect(before).toMatchObject({ code: 0, stderr: '' });
    const never = samplesIn(before.stdout, 'openmetrics');
    expect(valueOf(never, 'curfew_up')).toBe(0);
    expect(valueOf(never, 'curfew_ends_total', { agent: 'claude-code', outcome: 'reaped' })).toBe(0);
    expect(never.map(({ name }) => name)).not.toContain('curfew_leftovers');
    expect(never.map(({ name }) => name)).not.toContain('curfew_last_scan_timestamp_seconds');
    // It neither looked nor made anything.
    expect(stage.has('/tmp/curfew-home/ledger.db')).toBe(false);

    const claude = await FakeClaude.start(stage);
    await claude.bash('sleep 3600 | cat');
    await claude.crash();
    const watch = await startCurfew(stage, ['watch', '--observe', '--json', '--metrics-port', '0']);
    const url = await addressOf(stage, watch);
    expect(watch.stderr()).toContain(`Prometheus' credentials_file: ${token}`);
    const read = async () => samplesIn((await runCurfew(stage, ['metrics', '--format', 'text'])).stdout, 'text');
    await untilPublished(stage, 1);
    const now = await read();
    expect(valueOf(now, 'curfew_up')).toBe(1);
    expect(valueOf(now, 'curfew_mode', { mode: 'observe' })).toBe(1);
    expect(valueOf(now, 'curfew_jobs', { agent: 'claude-code', owner: 'gone' })).toBe(1);
    expect(valueOf(now, 'curfew_leftover_memory_bytes', { agent: 'claude-code' })).toBeGreaterThan(0);
    expect(valueOf(now, 'curfew_scan_duration_seconds_count')).toBeGreaterThan(0);

    const secret = stage.read(token).trim();
    const [status, text] = await ask(stage, url, secret, 'application/openmetrics-text;version=1.0.0');
    expect(status).toBe('200 application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(leftovers(samplesIn(text, 'openmetrics'))).toBe(1);
    expect(text).not.toMatch(/sleep|\/tmp/u);
    expect((await ask(stage, url, ''))[0]).toMatch(/^401 /u);

    const file = '/tmp/textfiles/curfew.prom';
    const refused = await runCurfew(stage, ['metrics', '--textfile', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `curfew: ${file} was not written: there is no folder /tmp/textfiles; make it, and name it to node_exporter with --collector.textfile.directory\n`,
    );
    stage.folder('/tmp/textfiles');
    expect(await runCurfew(stage, ['metrics', '--textfile', file])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(leftovers(samplesIn(stage.read(file), 'text'))).toBe(1);

    const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '60s']);
    expect(incidents.map(({ outcome }) => outcome)).toEqual(['reaped']);
    const counted = samplesIn((await ask(stage, url, secret))[1], 'text');
    expect(valueOf(counted, 'curfew_ends_total', { agent: 'claude-code', outcome: 'reaped' })).toBe(1);
    expect(valueOf(counted, 'curfew_ended_processes_total', { agent: 'claude-code' })).toBeGreaterThan(0);
    await untilPublished(stage, 0);
    expect(leftovers(await read())).toBe(0);

    await watch.signal('INT');
    expect((await watch.ended()).code).toBe(0);
    const after = await read();
    expect(valueOf(after, 'curfew_up')).toBe(0);
    expect(valueOf(after, 'curfew_last_scan_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
    expect(after.map(({ name }) => name)).not.toContain('curfew_leftovers');
    expect(valueOf(after, 'curfew_ends_total', { agent: 'claude-code', outcome: 'reaped' })).toBe(1);

    const web = await startCurfew(stage, ['web', '--no-open', '--json', '--metrics-port', '0']);
    const again = await addressOf(stage, web);
    // The token is the one that Prometheus was given already.
    expect((await ask(stage, again, secret))[0]).toMatch(/^200 text\/plain/u);
    const other = await runCurfew(stage, ['web', '--no-open', '--metrics-port', '0']);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('to serve metrics, end that one first');
    await web.signal('TERM');
    expect((await web.ended()).code).toBe(0);
    expect(await ask(stage, again, secret)).toEqual(['', '']);
  }),
);

test(
  'a token that others can read, and a port that makes no sense, are refused before anything is watched',
  scene(async (stage) => {
    stage.write(token, 'x'.repeat(40), 0o644);
    const refused = await runCurfew(stage, ['web', '--no-open', '--metrics-port', '0']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`the token of the metrics, ${token}, can't be used: other users can read`);
    const wrong = [['--metrics-port', '70000'], ['--metrics-port', 'any'], ['--metrics-port=-1']];
    for (const options of wrong)
      expect(await runCurfew(stage, ['watch', ...options])).toMatchObject({ code: 2, stdout: '' });
    for (const options of [
      ['--format', 'json'],
      ['--textfile', '/tmp/x.prom', '--format', 'text'],
    ])
      expect(await runCurfew(stage, ['metrics', ...options])).toMatchObject({ code: 2, stdout: '' });
  }),
);
