import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { placesEnvironment } from '../agents/hooks/form/hook-script.ts';
import { openService } from '../interface/service.ts';
import { useHelper } from '../os/console/asker.ts';
import { forgetRelativeHome } from '../os/this-system.ts';
import { commandLineFile } from '../os/programs/bounded-program.ts';
import { refuseForeignHome } from '../store/foreign-home.ts';
import { createPlaces, placesFor } from '../store/places.ts';
import { Application } from './application.ts';
import { forkedHelper } from './console/fork-helper.ts';
import { toastActivator } from './notifications/activations.ts';
import { confineAll } from './security/confine-all.ts';
import { schemePrivileges } from './security/harden.ts';
import { atLoginArgument } from './surface/login-item.ts';
import { canPlaceWindows } from './windows/placement.ts';

// The desktop app's entry: `electron .` in the checkout, and what the packed app starts.

/** Milliseconds that the popover stays ready after it was hidden. */
const dropPopoverAfterMs = 60_000;

forgetRelativeHome();

const { platform, env, argv } = process;
const places = placesFor({ platform, environment: env, home: homedir(), workingFolder: process.cwd() });

refuseForeignHome(homedir(), places);

// Chromium's own files go to Curfew's state folder. The lock of the single instance is there too,
// so that another CURFEW_HOME can have an app of its own; it is taken first.
app.setPath('userData', join(places.state, 'app'));
const first = app.requestSingleInstanceLock();

const warn = (text: string): void => void process.stderr.write(`curfew: ${text}\n`);

/** Returns what the desktop starts at login: an AppImage itself, not the folder it mounts. */
const program = (): [string, ...string[]] => {
  const image = env['APPIMAGE'];
  if (image !== undefined && image !== '') return [image, atLoginArgument];
  return app.isPackaged ? [process.execPath, atLoginArgument] : [process.execPath, app.getAppPath(), atLoginArgument];
};

if (first) {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([schemePrivileges]);
  // As electron-builder writes it into the Start menu's entry, without which Windows shows no
  // notifications.
  if (platform === 'win32') {
    app.setAppUserModelId('dev.curfew.Curfew');
    // By which Windows finds the app when a button is pressed. A random one, as without this, would
    // be left in the registry after each start.
    app.setToastActivatorCLSID(toastActivator);
  }
  // No icon in the Dock, even if the packed app's Info.plist (LSUIElement) doesn't say so:
  // `electron .`.
  if (platform === 'darwin') app.setActivationPolicy('accessory');
  // Without a listener the app would quit with its last window.
  app.on('window-all-closed', () => undefined);
  confineAll();
  createPlaces(places);
  const built = join(import.meta.dirname, '..');
  if (platform === 'win32') useHelper(forkedHelper(join(built, 'shell/console-helper.js')));
  const started = app.whenReady().then(() =>
    Application.start({
      platform,
      openService: (options) =>
        openService({ ...options, commandLine: commandLineFile(join(built, 'cli/curfew.js'), env['PATH']) }),
      preload: join(built, 'preload/main.cjs'),
      pages: join(built, 'renderer'),
      trayIcons: join(built, '../icons/tray'),
      state: join(places.state, 'app'),
      placeable: canPlaceWindows(platform, env, app.commandLine.getSwitchValue('ozone-platform')),
      autostart: { home: homedir(), environment: env, program: program(), placesEnvironment: placesEnvironment(env) },
      argv,
      dropAfterMs: dropPopoverAfterMs,
      warn,
    }),
  );
  // A second start: GNOME shows no tray icons, so its users open the popover this way.
  const open = (): void => void started.then((application) => application.open());
  app.on('second-instance', (_event, again) => {
    // A start at login while it runs already is not a user's request.
    if (!again.includes(atLoginArgument)) open();
  });
  app.on('activate', open);
  started.catch((error: unknown) => {
    warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
