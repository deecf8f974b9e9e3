import { expect, test } from 'vitest';
import { readableNode } from '../os/machine-facts.ts';
import { RealApp } from './support/app.ts';
import { onElectron } from './support/on-electron.ts';
import type { DesktopSession } from './support/session.ts';

const port = 8099;

/** A server that notes who came, and lets every page read what it says. */
const server = `
  const { appendFileSync } = require('node:fs');
  require('node:http').createServer((request, response) => {
    appendFileSync(process.env.HOME + '/came', request.url + '\\n');
    response.setHeader('Access-Control-Allow-Origin', '*').end('secret');
  }).listen(${port}, '127.0.0.1');
`;

const node = (session: DesktopSession, program: string) => session.start([readableNode, '-e', program]);

/** What a page tries that runs an attacker's script; each becomes `no`, or says what it reached. */
const attacks: Readonly<Record<string, string>> = {
  'opens a window': `open('http://127.0.0.1:${port}/open') === null ? 'no' : 'opened'`,
  'opens a window of its own origin': `open('app://curfew/index.html') === null ? 'no' : 'opened'`,
  'opens a program': `open('file:///usr/bin/true') === null ? 'no' : 'opened'`,
  'fetches from the network': `await fetch('http://127.0.0.1:${port}/fetch').then((r) => r.text(), () => 'no')`,
  'fetches a file': `await fetch('file:///etc/passwd').then((r) => r.text(), () => 'no')`,
  'fetches its own files': `await fetch('app://curfew/index.html').then((r) => r.text(), () => 'no')`,
  'opens a socket': `await new Promise((done) => {
    const socket = new WebSocket('ws://127.0.0.1:${port}/socket');
    socket.onopen = () => done('open'); socket.onerror = () => done('no');
  })`,
  'sends a beacon': `(navigator.sendBeacon('http://127.0.0.1:${port}/beacon'), 'no')`,
  'loads a picture': `await new Promise((done) => {
    const picture = new Image();
    picture.onload = () => done('loaded'); picture.onerror = () => done('no');
    picture.src = 'http://127.0.0.1:${port}/picture';
  })`,
  'loads a frame': `await new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.src = 'http://127.0.0.1:${port}/frame';
    frame.onload = () => { let text = 'no'; try { text = frame.contentDocument?.body?.textContent || 'no'; } catch {} done(text); };
    document.body.append(frame);
    setTimeout(() => done('no'), 2000);
  })`,
  'makes a webview': `(() => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'http://127.0.0.1:${port}/webview');
    document.body.append(view);
    return 'loadURL' in view ? 'is one' : 'no';
  })()`,
  'sends a form': `(() => {
    const form = Object.assign(document.createElement('form'), { action: 'http://127.0.0.1:${port}/form', method: 'post' });
    document.body.append(form);
    form.submit();
    return 'no';
  })()`,
  'writes a script into the page': `(() => {
    try { const script = document.createElement('script'); script.text = 'globalThis.hacked = 1'; document.head.append(script); } catch {}
    return globalThis.hacked === undefined ? 'no' : 'ran';
  })()`,
  'writes markup into the page': `(() => { try { document.body.innerHTML += '<b>x</b>'; return 'written'; } catch { return 'no'; } })()`,
  'runs a text': `await new Promise((done) => setTimeout(() => { try { done(String((0, eval)('6 * 7'))); } catch { done('no'); } }))`,
  'imports a text': `await import('data:text/javascript,export default 1').then(() => 'imported', () => 'no')`,
  'starts a worker': `await new Promise((done) => {
    try {
      const worker = new Worker('data:text/javascript,postMessage(1)');
      worker.onmessage = () => done('ran'); worker.onerror = () => done('no');
    } catch { done('no'); }
  })`,
  'reads the clipboard': `await navigator.clipboard.readText().then((text) => 'read ' + text, () => 'no')`,
  'asks where it is': `await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('told'), () => done('no')))`,
  'asks for the camera': `await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', () => 'no')`,
  'asks for the screen': `await navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'given', () => 'no')`,
  'asks for notifications': `(await Notification.requestPermission()) === 'granted' ? 'granted' : 'no'`,
  'finds Node': `typeof require + typeof process + typeof module === 'undefinedundefinedundefined' ? 'no' : 'found'`,
  'finds Electron behind the bridge': `(() => {
    const found = Object.values(curfew).map((one) => { try { return one.constructor.constructor('return typeof process')(); } catch { return 'undefined'; } });
    return found.every((one) => one === 'undefined') ? 'no' : 'found';
  })()`,
  'asks a question that there is not': `(await curfew.ask('shell.run', { command: 'id' })).ok ? 'answered' : 'no'`,
  'ends what is no job': `(await curfew.ask('job.reap', { job: '../1', host: 'local' })).ok ? 'answered' : 'no'`,
  'ends by a pid': `(await curfew.ask('job.reap', { pid: 1 })).ok ? 'answered' : 'no'`,
  'opens any path': `(await curfew.ask('path.open', { path: '/etc/passwd' })).ok ? 'answered' : 'no'`,
};

/** Where it wants to go; the page stays. */
const ways: readonly string[] = [
  `location.href = 'http://127.0.0.1:${port}/go'`,
  `location.replace('file:///etc/passwd')`,
  `location.assign('app://other/index.html')`,
  `location.href = 'data:text/html,<script>1</script>'`,
  `location.href = 'javascript:globalThis.hacked = 2'`,
  `location.href = 'app://curfew/../../../../etc/passwd'`,
  `Object.assign(document.createElement('a'), { href: 'http://127.0.0.1:${port}/link', target: '_blank' }).click()`,
  `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=http://127.0.0.1:${port}/meta' }))`,
];

onElectron('the walls of the app on a real Electron', ({ inSession }) => {
  test(
    'an attacker in a page reaches no network, no file, no window, no Node and no right',
    inSession('none', async (session) => {
      const { stage, user } = session;
      await node(session, server);
      const came = (): string => (stage.has(`${user.home}/came`) ? stage.read(`${user.home}/came`) : '');
      await session.until('the server answers', async () => {
        await node(session, `fetch('http://127.0.0.1:${port}/itself')`);
        return came() !== '';
      });
      const app = await RealApp.start(session);
      expect(await RealApp.startAgain(session)).toBe(0);
      const page = await app.page('#/popover');
      const reached: Record<string, unknown> = {};
      for (const [what, attack] of Object.entries(attacks))
        reached[what] = await page.evaluate(
          `(async () => { try { return ${attack.trim()}; } catch (error) { return 'no'; } })()`,
        );
      expect(reached).toEqual(Object.fromEntries(Object.keys(attacks).map((what) => [what, 'no'])));
      const address = page.url();
      for (const way of ways) {
        await page.evaluate(`(() => { try { ${way}; } catch {} })()`);
        // The page answers after it, and is still the same.
        const left = await page.evaluate('[typeof curfew.ask, globalThis.hacked ?? 0].join()');
        expect({ way, left, address: page.url() }).toEqual({ way, left: 'function,0', address });
      }
      expect(app.pages()).toHaveLength(1);
      expect(new Set(came().split('\n'))).toEqual(new Set(['/itself', '']));
      // Each page is in a process that the kernel confines; nothing runs without.
      const renderers = stage.table().filter(({ argv }) => argv.join(' ').includes(' --type=renderer'));
      expect(renderers.length).toBeGreaterThan(0);
      for (const { pid, argv } of renderers) {
        expect(argv.join(' ')).not.toContain('--no-sandbox');
        // A spare one confines itself a moment after it has started.
        const isConfined = () => /^Seccomp:\t2$/mu.test(stage.read(`/proc/${pid}/status`));
        await stage.until(`the kernel confines ${pid}`, () => stage.row(pid) === null || isConfined());
      }
    }),
  );
});
