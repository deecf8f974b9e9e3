import { describe, expect, test } from 'vitest';
import { asKernelSessionId } from '../../../../app/process/identity.ts';
import { vetoesOn } from './ask.ts';

const shell = ['/bin/bash', '-c', 'sleep 3600'];

describe('ordinary processes of jobs have no veto', () => {
  test.each([
    [shell],
    [['sleep', '3600']],
    [['node', '/home/me/shop/node_modules/.bin/vite']],
    [['npm', 'run', 'dev']],
    [['python3', '-m', 'http.server']],
    [['/usr/bin/postgres', '-D', '/tmp/db']],
    [['java', '-jar', 'app.jar']],
    [['tail', '-f', '/var/log/tmux: server']],
    [['Xvfb', ':99']],
    [['systemd-run', '--user', 'sleep', '1']],
    [['']],
    [[]],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual([]);
  });
});

describe('a name somewhere in a command line is no program', () => {
  test.each([
    [['grep', '-r', 'tmux', '.']],
    [['/bin/bash', '-c', 'vim notes.txt']],
    [['./vim-notes.sh']],
    [['/bin/bash', '/home/me/vim-notes.sh']],
    [['/home/me/tmux/build.sh']],
    [['pkill', '-f', 'code']],
    [['python3', 'screen.py']],
    [['cat', '/usr/share/code/code']],
    [['make', 'emacs']],
    [['npx', 'cursor']],
    [['node', '-e', 'tmux']],
    [['codex-helper']],
    [['nvimdiff-tool']],
    [['/bin/sh', '-c', 'sudo -i']],
    [['tee', '-bash']],
    [['echo', 'org.gradle.launcher.daemon.bootstrap.GradleDaemon']],
    [['curfew.py']],
    [['grep', 'curfew']],
    [['git', 'status']],
    [['ssh', 'build-host', 'tail -f log']],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual([]);
  });
});

describe('editors', () => {
  test.each([
    [['vim', 'notes.txt']],
    [['/usr/bin/nvim', '--headless']],
    [['/usr/bin/vim.basic']],
    [['emacs', '-nw']],
    [['emacsclient', '-t']],
    [['nano', '/repo/.git/COMMIT_EDITMSG']],
    [['hx', '.']],
    [['/usr/share/code/code', '--type=renderer']],
    [['/usr/share/cursor/cursor']],
    [['/opt/zed/zed-editor']],
    [['/home/me/.vscode-server/bin/0ee08df0cf4527e40edc9aa28f4b5bd38bbff2b2/node', 'out/server-main.js']],
    [['node', '/home/me/.cursor-server/cli/servers/Stable-1/server/out/bootstrap-fork']],
    [['/opt/idea/jbr/bin/java', '-Xmx2g', 'com.intellij.idea.Main']],
    [['./nvim.appimage']],
    [['/nix/store/abc-neovim/bin/.nvim-wrapped']],
    [['/Applications/Visual Studio Code.app/Contents/MacOS/Electron']],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['editor']);
  });

  test('by its executable, whatever it calls itself', () => {
    expect(vetoesOn(['helper'], { facts: { executable: '/usr/bin/vim.basic' } })).toEqual(['editor']);
    expect(vetoesOn(['helper'], { facts: { executable: '/usr/bin/nvim (deleted)' } })).toEqual(['editor']);
    expect(vetoesOn(['helper'], { facts: { executable: '/home/me/vim/helper' } })).toEqual([]);
  });

  test('by the kernel’s name, where argv is hidden', () => {
    expect(vetoesOn([], { row: { comm: 'nvim' } })).toEqual(['editor']);
  });
});

describe('terminals', () => {
  test.each([
    [['/usr/libexec/gnome-terminal-server']],
    [['konsole']],
    [['alacritty', '-e', 'bash']],
    [['kitty']],
    [['/usr/bin/wezterm-gui']],
    [['foot']],
    [['xterm']],
    [['python3', '/usr/bin/terminator']],
    [['/Applications/iTerm.app/Contents/MacOS/iTerm2']],
    [['/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal']],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['terminal']);
  });

  test('by the kernel’s name, cut to 15 bytes', () => {
    expect(vetoesOn([], { row: { comm: 'gnome-terminal-' } })).toEqual(['terminal']);
  });
});

describe('multiplexers', () => {
  test.each([
    [['tmux', 'new-session', '-d']],
    [['tmux: server']],
    [['tmux: server', '']],
    [['tmux: client (/tmp/tmux-1000/default)']],
    [['SCREEN', '-S', 'work']],
    [['screen', '-r']],
    [['zellij', '--server', '/run/user/1000/zellij/x']],
    [['dtach', '-n', 'sock', 'bash']],
    [['abduco', '-c', 'x']],
    [['mosh-server', 'new']],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['multiplexer']);
  });

  test('by the kernel’s name', () => {
    expect(vetoesOn(['/usr/bin/tmux'], { row: { comm: 'tmux: server' } })).toEqual(['multiplexer']);
  });
});

describe('shells in which the user works', () => {
  const tty = { tty: 34_816 };

  test.each([
    ['-bash', ['-bash'], {}],
    ['-zsh without a terminal', ['-zsh'], {}],
    ['-su', ['-su'], tty],
    ['bash with a terminal', ['bash'], tty],
    ['bash -i', ['/bin/bash', '-i'], tty],
    ['zsh --login', ['/usr/bin/zsh', '--login'], tty],
    ['fish', ['fish'], tty],
    [
      'the terminal of Visual Studio Code',
      ['/bin/bash', '--init-file', '/usr/share/code/out/shellIntegration-bash.sh'],
      tty,
    ],
    ['the terminal of an IDE', ['/bin/bash', '--rcfile', '/opt/idea/bash-integration.bash', '-i'], tty],
    ['PowerShell that stays', ['pwsh', '-noexit', '-command', 'try {}'], tty],
    ['sshd', ['/usr/sbin/sshd', '-D'], {}],
    ['sshd of a session', ['sshd: me@pts/0'], {}],
    ['sshd of a session, newer', ['sshd-session: me [priv]'], {}],
    ['login', ['/bin/login', '-p', '--'], tty],
    ['su', ['su', '-', 'me'], tty],
    ['sudo -i', ['sudo', '-i'], tty],
  ] as const)('%s', (_what, argv, row) => {
    expect(vetoesOn(argv, { row })).toEqual(['login-shell']);
  });

  test.each([
    ['a tool shell', shell, {}],
    ['a tool shell with a login option', ['/bin/bash', '-c', '-l', 'sleep 1'], {}],
    ['the same as one word', ['/bin/bash', '-lc', 'sleep 1'], tty],
    ['an interactive one with a command (aider)', ['/bin/bash', '-i', '-c', 'make'], tty],
    ['one with a script', ['bash', 'deploy.sh'], tty],
    ['one with a terminal that leads nothing', ['bash'], { ...tty, sid: asKernelSessionId(7) }],
    ['one that leads and has no terminal', ['bash'], {}],
    ['fish with a command', ['fish', '--command', 'make'], tty],
    ['sudo with a command', ['sudo', 'fs_usage'], tty],
    ['su with a command', ['su', '-c', 'make', 'me'], tty],
    ['a lone dash', ['-'], {}],
  ] as const)('not %s', (_what, argv, row) => {
    expect(vetoesOn(argv, { row })).toEqual([]);
  });
});

describe('daemons that others rely on', () => {
  test.each([
    [['gpg-agent', '--homedir', '/home/me/.gnupg', '--use-standard-socket', '--daemon']],
    [['/usr/bin/ssh-agent', '-D']],
    [['keyboxd', '--daemon']],
    [['dbus-daemon', '--session', '--address=systemd:']],
    [['/usr/bin/gnome-keyring-daemon', '--start']],
    [['/usr/lib/gvfsd-metadata']],
    [['pipewire']],
    [['ssh: /home/me/.ssh/cm-host-22-me [mux]', '']],
    [['git-credential-cache--daemon', '/home/me/.cache/git/credential/socket']],
    [['/usr/lib/git-core/git', 'credential-cache--daemon', '/home/me/.cache/socket']],
    [['git', 'fsmonitor--daemon', 'run', '--detach']],
    [['watchman', '--foreground']],
    [['adb', '-L', 'tcp:5037', 'fork-server', 'server', '--reply-fd', '4']],
    [['/usr/lib/jvm/bin/java', '-Xmx512m', '-cp', 'x.jar', 'org.gradle.launcher.daemon.bootstrap.GradleDaemon', '8.1']],
    [['java', 'org.jetbrains.kotlin.daemon.KotlinCompileDaemon']],
    [['bazel(shop)', '-Xverify:none']],
    [['sccache']],
    [['dockerd']],
    [['/usr/bin/containerd-shim-runc-v2', '-namespace', 'moby']],
    [['podman', 'system', 'service']],
    [['podman', 'pause']],
    [['limactl', 'hostagent', 'default']],
    [['PM2 v5.3.0: God Daemon (/home/me/.pm2)']],
    [['spring server | shop | started 3 mins ago']],
    [['spring app    | shop | started 3 mins ago | development mode']],
    [['/usr/lib/erlang/erts-13.1.5/bin/epmd', '-daemon']],
    [['emacs', '--daemon']],
    [['dotnet', '/usr/share/dotnet/sdk/9.0.100/MSBuild.dll', '/nologo', '/nodemode:1', '/nodeReuse:true']],
    [['dotnet', 'exec', '/usr/share/dotnet/sdk/9.0.100/Roslyn/bincore/VBCSCompiler.dll', '-pipename:x']],
    [['/usr/bin/python3', '/home/me/.local/bin/dmypy', 'run', '--', 'src']],
    [['/home/me/shop/node_modules/.bin/biome', '__run_server']],
    [['/usr/bin/node', '/home/me/shop/node_modules/nx/src/daemon/server/start.js']],
    [['node', '/home/me/shop/node_modules/eslint_d/lib/daemon.js']],
    [['eslint_d - global      ']],
    [['rubocop --server /home/me/shop    ']],
    [['/home/me/shop/node_modules/flow-bin/flow-linux64-v0.336.0/flow monitor for /home/me/shop']],
    [['/home/me/shop/node_modules/flow-bin/flow-linux64-v0.336.0/flow server master process watching /home/me/shop']],
    [['pueued', '--daemonize']],
    [['/lib/systemd/systemd', '--user']],
    [['gnome-shell']],
    [['/usr/lib/xorg/Xorg', ':0']],
    [['/usr/sbin/cron', '-f']],
  ])('%o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['shared-daemon']);
  });

  test.each([
    [['adb', 'logcat']],
    [['podman', 'run', 'x']],
    [['git', 'fetch']],
    [['git', '-C', '/x', 'gc', '--auto']],
    [['sccache', 'rustc', 'main.rs']],
    [['java', '-cp', 'build', 'Main']],
    [['ssh', '-N', 'host']],
    [['bazel', 'test', '//...']],
    [['limactl', 'shell', 'default']],
    [['docker', 'run', 'x']],
    [['gpg', '--sign']],
    [['ssh-add']],
    [['turbo', 'run', 'dev']],
    [['ruby', '/usr/bin/rubocop', '--server', 'app']],
    [['flow', 'check']],
    [['node', '/x/node_modules/pm2/bin/pm2', 'logs']],
  ])('not %o', (argv) => {
    expect(vetoesOn(argv)).toEqual([]);
  });
});

describe('browsers', () => {
  test.each([
    [['/opt/google/chrome/chrome', 'https://example.com']],
    [['/usr/lib/firefox/firefox']],
    [['/snap/chromium/1/usr/lib/chromium-browser/chromium-browser']],
    [['/opt/google/chrome/chrome', '--remote-debugging-port=9222', '--user-data-dir=/home/me/.config/google-chrome']],
    [['/opt/google/chrome/chrome', '--type=renderer']],
    [['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']],
    [['/opt/google/chrome/chrome', '--user-data-dir=/home/me/.config/chrome', 'https://playwright.dev/']],
  ])('the user’s: %o', (argv) => {
    expect(vetoesOn(argv)).toEqual(['shared-daemon']);
  });

  test('the user’s whose children write their command line into one argument', () => {
    const argv = ['/opt/google/chrome/chrome --type=renderer --lang=en-US'];
    expect(vetoesOn(argv, { row: { comm: 'chrome' } })).toEqual(['shared-daemon']);
  });

  test.each([
    [['/usr/bin/chromium', '--headless=new', '--disable-gpu']],
    [['/usr/bin/google-chrome', '--headless']],
    [['/home/me/.cache/ms-playwright/chromium-1234/chrome-linux/chrome', '--type=gpu-process']],
    [['/opt/google/chrome/chrome', '--user-data-dir=/tmp/puppeteer_dev_chrome_profile-Ab12']],
    [['/opt/google/chrome/chrome', '--user-data-dir=/home/me/.cache/ms-playwright/mcp-chrome-4f']],
    [['chrome', '--enable-automation', '--remote-debugging-pipe']],
    [['firefox', '-headless', '-juggler-pipe', '-profile', '/tmp/x']],
    [['firefox', '--marionette', '-profile', '/tmp/rust_mozprofileAbc']],
    [['chrome-headless-shell']],
  ])('a program’s: %o', (argv) => {
    expect(vetoesOn(argv)).toEqual([]);
  });

  test.each([
    '/usr/lib/chromium/chromium --type=zygote --no-sandbox --headless=new --crashpad-handler-pid=0',
    '/usr/lib/chromium/chromium --type=renderer --user-data-dir=/tmp/playwright_chromiumdev_profile-RfYEmX',
  ])('a program’s, in one argument: %s', (title) => {
    expect(vetoesOn([title], { row: { comm: 'chromium' } })).toEqual([]);
  });
});
