import { nameIn, programNames, windowsNameIn, type Program } from './program.ts';

/*
 * Names that mean a program on Windows only, in small letters and without `.exe`. A name spares a
 * process and never ends one, so a doubtful one is in.
 */

/**
 * The desktop and what starts programs for the user or the system: Explorer, the services and
 * their manager, the Task Scheduler, COM and WMI (svchost, dllhost, wmiprvse), remote sessions,
 * starters of programs; the system's own processes. What hangs below one of them was started by no
 * agent, because Windows never gives a process another parent.
 * https://learn.microsoft.com/sysinternals/ (Windows Internals, chapters 2 and 3)
 */
const desktop = programNames(
  `explorer sihost shellhost shellexperiencehost startmenuexperiencehost searchhost searchapp searchui searchindexer
  textinputhost ctfmon taskhost taskhostw taskhostex taskeng userinit winlogon logonui lockapp dwm fontdrvhost csrss smss
  wininit lsass lsaiso services svchost runtimebroker dllhost applicationframehost systemsettings systemsettingsbroker
  taskmgr mmc backgroundtaskhost backgroundtransferhost wmiprvse unsecapp dashost audiodg spoolsv wudfhost sppsvc
  securityhealthservice securityhealthsystray msmpeng nissrv mssense smartscreen widgets widgetservice
  phoneexperiencehost credentialuibroker consent atbroker utilman osk narrator magnify rdpclip rdpinput tstheme
  wsmprovhost winrshost system registry useroobebroker openwith pickerhost msiexec trustedinstaller tiworker
  wermgr werfault plugplay rpcss winedevice wineboot
  autohotkey autohotkey32 autohotkey64 autohotkeyu64 powertoys powertoys.powerlauncher powertoys.runner flow.launcher
  keypirinha listary launchy wox ueli totalcmd totalcmd64 dopus far doublecmd freecommander q-dir xplorer2_64`,
  ['memory compression', 'secure system', 'system idle process'],
);

const terminals = programNames(
  `windowsterminal wt openconsole conhost conemu conemu64 conemuc conemuc64 conemucd conemucd64 cmder mintty git-bash
  git-cmd fluentterminal fluentterminal.app fluentterminal.systemtray terminus putty puttytel kitty_portable superputty
  securecrt mobaxterm mobartermx xshell termius ttermpro windterm electerm royalts zoc extraputty bvterm
  cygwin-console-helper`,
);

/** Also debuggers: a user looks into the program that they hold. */
const editors = programNames(
  `notepad notepad++ notepad2 notepad3 wordpad write mspaint devenv blend wdexpress powershell_ise atom brackets
  runemacs gvim64 ultraedit uedit32 uedit64 editplus textpad scite pspad emeditor
  webstorm64 phpstorm64 pycharm64 goland64 clion64 rider64 rubymine64 datagrip64 dataspell64 rustrover64 aqua64
  writerside64 gateway64 fleet jetbrains_client64 eclipsec netbeans64 ssms azuredatastudio profiler processing arduino
  unity unityhub unrealeditor ue4editor ue5editor godot blender photoshop illustrator indesign afterfx figma matlab
  mathematica octave-gui texworks texstudio obsidian notion typora joplin winword excel powerpnt msaccess onenote
  outlook olk visio mspub winproj void positron
  windbg windbgx dbgx.shell enghost cdb ntsd kd x64dbg x32dbg x96dbg ollydbg ida ida64 idaq idaq64 dnspy ghidra
  vsjitdebugger vsdbg vsdbg-ui msvsmon procexp procexp64 procmon procmon64`,
  ['adobe premiere pro', 'arduino ide'],
);

/**
 * The user's programs in the background, build servers, and the doors and parts of WSL: what runs
 * inside of WSL is for a Curfew there, and what WSL starts in Windows is no agent's of Windows.
 * https://learn.microsoft.com/windows/wsl/
 */
const daemons = programNames(
  `wsl wslconfig wslhost wslservice wslrelay wslg wslinstaller msrdc vmmem vmmemwsl vmwp vmcompute vmms ubuntu ubuntu1804
  ubuntu2004 ubuntu2204 ubuntu2404 ubuntupreview debian kali opensuse-tumbleweed fedora archlinux almalinux-8
  pageant git-credential-manager git-credential-manager-core git-credential-wincred git-credential-manager-ui keepass
  onedrive googledrivefs teams ms-teams slack discord zoom spotify whatsapp signal telegram thunderbird steam
  tailscale-ipn msedgewebview2 mspdbsrv vctip perfwatson2 servicehub.host.anycpu servicehub.host.dotnet.x64
  com.docker.backend com.docker.build com.docker.service sqlservr`,
  ['docker desktop', 'google drive'],
);

/** `C:/Windows/System32/bash` is WSL's, not a shell of Windows. */
const wslBash = /\/windows\/(?:system32|sysnative)\/bash$/iu;

/** The name of the part of the desktop or of the system that this program is; null for none. */
export const desktopName = (program: Program): string | null => windowsNameIn(program, desktop);

/** The same for terminals of Windows. */
export const windowsTerminalName = (program: Program): string | null => windowsNameIn(program, terminals);

/** The same for editors, development environments and debuggers of Windows. */
export const windowsEditorName = (program: Program): string | null => windowsNameIn(program, editors);

/** The same for programs of Windows that others rely on, and for those of WSL. */
export const windowsDaemonName = (program: Program): string | null => {
  if (!program.onWindows) return null;
  return program.paths.some((path) => wslBash.test(path)) ? 'wsl' : nameIn(program, daemons);
};
