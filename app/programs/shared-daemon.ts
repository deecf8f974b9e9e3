import { adopterNames } from './adopter-names.ts';
import { nameIn, programNames, windowsNameIn, type Program } from './program.ts';
import { windowsDaemonName } from './windows-names.ts';

/** Helpers started by the way that others then rely on: a user's, desktop's or machine's. */
const daemons = programNames(
  `gpg-agent ssh-agent keyboxd dirmngr scdaemon pinentry gnome-keyring-daemon gnome-keyring-d gcr-ssh-agent kwalletd kwalletd5
  kwalletd6 ssh-pageant pass-secret-service 1password 1Password bitwarden keepassxc rbw-agent polkitd
  dbus-daemon dbus-broker dbus-broker-launch dbus-launch dconf-service gvfsd gvfsd-fuse gvfsd-metadata gvfsd-http gvfsd-trash
  gvfs-udisks2-volume-monitor xdg-desktop-portal xdg-document-portal xdg-permission-store at-spi-bus-launcher at-spi2-registryd
  at-spi2-registry ibus-daemon fcitx fcitx5 pulseaudio pipewire pipewire-pulse pipewire-media-session wireplumber speech-dispatcher
  tracker-miner-fs-3 evolution-source-registry goa-daemon tumblerd baloo_file
  Xorg X Xwayland gnome-shell mutter gnome-session-binary plasmashell kwin_x11 kwin_wayland ksmserver kded5 kded6 sway Hyprland i3
  xfce4-session xfwm4 cinnamon cinnamon-session mate-session lxsession openbox gdm3 sddm lightdm Finder Dock WindowServer loginwindow
  git-credential-cache--daemon watchman epmd buck2d pantsd mvnd bloop distccd icecc-scheduler iceccd
  dockerd containerd containerd-shim containerd-shim-runc-v2 docker-proxy docker-init com.docker.backend com.docker.hyperkit
  com.docker.vmnetd com.docker.virtualization vpnkit conmon crun runc rootlesskit slirp4netns pasta passt buildkitd OrbStack multipassd
  libvirtd virtqemud VBoxSVC VBoxHeadless kubelet
  cron crond anacron atd supervisord systemd systemd-udevd systemd-journald systemd-resolved launchd cupsd avahi-daemon NetworkManager
  syncthing dropbox Dropbox tailscaled pueued VBCSCompiler eslint_d prettierd stylelint_d`,
  ['(sd-pam)', 'Docker Desktop', 'com.docker.cli'],
);

/** Programs that are a daemon only when started as one; else they are commands like others. */
const daemonForms: readonly { readonly name: string; readonly arguments: RegExp }[] = [
  // Also the pause process of rootless Podman, which holds the namespaces of all its containers.
  { name: 'podman', arguments: /^(?:pause|system service)\b/u },
  { name: 'minikube', arguments: /^mount\b/u },
  { name: 'limactl', arguments: /^(?:hostagent|usernet|daemon)\b/u },
  { name: 'colima', arguments: /^daemon\b/u },
  { name: 'k3s', arguments: /^(?:server|agent)\b/u },
  { name: 'sccache', arguments: /^(?:--start-server)?$/u },
  // adb -L tcp:5037 fork-server server --reply-fd 4: one for the machine, holds the devices of
  // every user.
  { name: 'adb', arguments: /(?:^|\s)(?:fork-server|nodaemon) server\b/u },
  { name: 'git', arguments: /^(?:-C \S+ )?(?:credential-cache--daemon|fsmonitor--daemon)\b/u },
  { name: 'turbo', arguments: /(?:^|\s)daemon$/u },
  // Compilers and checkers that stay for the next build, whatever starts it; each ends itself when
  // it has been idle. https://learn.microsoft.com/dotnet/core/tools/dotnet-build-server,
  // https://mypy.readthedocs.io/en/stable/mypy_daemon.html,
  // https://biomejs.dev/reference/cli/#biome-start
  { name: 'dotnet', arguments: /(?:\/MSBuild\.dll .*\/nodemode:|\/VBCSCompiler\.dll\b|\/rzc\.dll server\b)/iu },
  { name: 'MSBuild', arguments: /\/nodemode:/iu },
  { name: 'dmypy', arguments: /(?:^|\s)(?:start|run|restart|daemon)\b/u },
  { name: 'biome', arguments: /^__run_server\b/u },
  { name: 'emacs', arguments: /--(?:fg-|bg-)?daemon/u },
];

/**
 * Titles that daemons write over their argv: a shared ssh connection (ControlMaster), pm2, Bazel's
 * server, the preloader of Rails (https://github.com/rails/spring), the servers of eslint_d,
 * RuboCop and Flow; and daemons that are known by their script's place
 * (https://nx.dev/concepts/nx-daemon, https://github.com/mantoni/eslint_d.js).
 */
const titles: readonly { readonly name: string; readonly title: RegExp }[] = [
  { name: 'ssh', title: /^ssh: .* \[mux\]/u },
  { name: 'pm2', title: /^PM2 v\S+: God Daemon/u },
  { name: 'spring', title: /^spring (?:server|app) +\| /u },
  { name: 'nx', title: /^\S*node \S+\/nx\/(?:dist\/)?src\/daemon\/server\/start\.js$/u },
  { name: 'eslint_d', title: /^eslint_d - |^\S*node \S+\/(?:eslint_d|core_d|prettierd|stylelint_d)\/\S+$/u },
  { name: 'rubocop', title: /^rubocop --server \//u },
  { name: 'flow', title: /^\S*\bflow (?:monitor for|server|file watching) /u },
  { name: 'bazel', title: /^bazel\([^)]*\)(?:\s|$)/u },
];

/** The same on Windows, where folders have blanks in their names: by the script alone. */
const windowsScripts: readonly { readonly name: string; readonly path: RegExp }[] = [
  { name: 'nx', path: /\/nx\/(?:dist\/)?src\/daemon\/server\/start\.js$/iu },
  { name: 'eslint_d', path: /\/(?:eslint_d|core_d|prettierd|stylelint_d)\/[^ ]+$/iu },
];

const windowsScript = (program: Program): string | null =>
  program.onWindows
    ? (windowsScripts.find(({ path }) => program.paths.some((one) => path.test(one)))?.name ?? null)
    : null;

/** Build servers on the Java machine, by their main class. */
const javaClasses: ReadonlyMap<string, string> = new Map([
  ['org.gradle.launcher.daemon.bootstrap.GradleDaemon', 'gradle'],
  ['org.jetbrains.kotlin.daemon.KotlinCompileDaemon', 'kotlin'],
  ['org.mvndaemon.mvnd.common.DaemonMain', 'mvnd'],
  ['bloop.Bloop', 'bloop'],
  ['bloop.BloopServer', 'bloop'],
]);

const windowsJava = programNames('java javaw');

const formOf = (program: Program): string | null => {
  const given = program.argv.slice(1).join(' ').trim();
  const line = program.onWindows ? given.replaceAll('\\', '/') : given;
  const isCalled = (name: string): boolean =>
    program.names.has(name) || windowsNameIn(program, new Set([name])) !== null;
  return daemonForms.find(({ name, arguments: form }) => form.test(line) && isCalled(name))?.name ?? null;
};

/**
 * Programs that adopt processes whose parent has ended, or that stand between a container and its
 * host. They are protected themselves, but being their child says nothing: every orphan is the
 * child of one.
 */
const adopters = programNames('containerd-shim containerd-shim-runc-v2 conmon', adopterNames);

/** True when being a child of this program proves nothing. */
export const isAdopter = (program: Program): boolean => nameIn(program, adopters) !== null;

/** The name of the shared daemon that this program is; null when it is none. */
export const sharedDaemonName = (program: Program): string | null => {
  const titled =
    titles.find(({ title }) => title.test(program.title))?.name ?? formOf(program) ?? windowsScript(program);
  if (titled !== null) return titled;
  const name = nameIn(program, daemons) ?? windowsDaemonName(program);
  if (name !== null) return name;
  if (!program.names.has('java') && windowsNameIn(program, windowsJava) === null) return null;
  return program.argv.map((argument) => javaClasses.get(argument)).find((found) => found !== undefined) ?? null;
};
