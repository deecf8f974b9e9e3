// A planted process: tells the scene that it lives, starts what it is to start, and waits. Its life
// is its connection to the scene. Run by a Windows Node, under any name.
import { spawn, type SpawnOptions } from 'node:child_process';
import { connect } from 'node:net';
import type { Planted } from './plan.ts';

const { CURFEW_TEST_PLANT: plan = '', CURFEW_TEST_PIPE: pipe = '', CURFEW_TEST_PROGRAMS: programs = '' } = process.env;
const me = JSON.parse(Buffer.from(plan, 'base64').toString()) as Planted;

/** Programs of Wine itself. */
const ofWine = new Set(['cmd', 'notepad']);

const scene = connect(pipe);
const tell = (what: object): void => void scene.write(`${JSON.stringify(what)}\n`);

const start = (planted: Planted): void => {
  const env = { ...process.env };
  delete env['CURFEW_TEST_PLANT'];
  for (const [name, value] of Object.entries(planted.env ?? {})) env[name] = value.replace('$PID', String(process.pid));
  const options: SpawnOptions = {
    env,
    stdio: planted.inShell === true ? ['ignore', 'pipe', 'pipe'] : 'ignore',
    detached: planted.console === 'none',
    windowsHide: planted.console === 'own',
  };
  if (!ofWine.has(planted.file)) env['CURFEW_TEST_PLANT'] = Buffer.from(JSON.stringify(planted)).toString('base64');
  const program = `${programs}\\${planted.file}.exe`;
  const script = import.meta.filename;
  const child = ofWine.has(planted.file)
    ? spawn(`${planted.file}.exe`, planted.args ?? [], options)
    : planted.inShell === true
      ? spawn('cmd.exe', ['/d', '/s', '/c', `"${program} ${script}"`], { ...options, windowsVerbatimArguments: true })
      : spawn(program, [script, ...(planted.args ?? [])], options);
  child.on('error', (error) => tell({ failed: planted.id, why: error.message }));
  if (ofWine.has(planted.file)) tell({ started: planted.id, pid: child.pid });
  child.unref();
};

scene.on('connect', () => {
  tell({ id: me.id, pid: process.pid });
  for (const child of me.children ?? []) start(child);
});
scene.on('data', () => process.exit(0));
scene.on('error', () => process.exit(3));
scene.on('close', () => process.exit(0));
process.on('SIGINT', () => {
  tell({ asked: me.id });
  setTimeout(() => process.exit(130), 100);
});
