// npm run headers:windows [-- FOLDER]: compares main/os/windows/kernel/layouts.ts with what phnt
// (System Informer's headers of the native API) and the Windows SDK of mingw-w64 declare. phnt is
// downloaded to a temporary folder, or read from FOLDER; nothing of it is kept. Needs
// x86_64-w64-mingw32-gcc (Debian: gcc-mingw-w64-x86-64-win32) and tar.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processClass, systemClass, tokenClass } from '../../main/os/windows/kernel/kernel.ts';
import * as layouts from '../../main/os/windows/kernel/layouts.ts';

const source = 'https://codeload.github.com/winsiderss/phnt/tar.gz/HEAD';
const compiler = 'x86_64-w64-mingw32-gcc';

/** What is expected of the compiled headers: an expression of C, and its value. */
type Expected = readonly [expression: string, value: number];

const at = (struct: string, field: string, offset: number): Expected => [`offsetof(${struct}, ${field})`, offset];
const sized = (struct: string, size: number): Expected => [`sizeof(${struct})`, size];

const { processRow, basicInformation, processTimes, parameters, unicodeString, tcpRow, udpRow } = layouts;

const expected: readonly Expected[] = [
  sized('SYSTEM_PROCESS_INFORMATION_HEAD', processRow.size),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'NextEntryOffset', processRow.next),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'NumberOfThreads', processRow.threads),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'CreateTime', processRow.created),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'UserTime', processRow.user),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'KernelTime', processRow.kernel),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'ImageName.Length', processRow.nameBytes),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'ImageName.Buffer', processRow.name),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'UniqueProcessId', processRow.pid),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'InheritedFromUniqueProcessId', processRow.parent),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'SessionId', processRow.session),
  at('SYSTEM_PROCESS_INFORMATION_HEAD', 'WorkingSetSize', processRow.workingSet),
  sized('PROCESS_BASIC_INFORMATION', basicInformation.size),
  at('PROCESS_BASIC_INFORMATION', 'PebBaseAddress', basicInformation.peb),
  at('PROCESS_BASIC_INFORMATION', 'UniqueProcessId', basicInformation.pid),
  at('PROCESS_BASIC_INFORMATION', 'InheritedFromUniqueProcessId', basicInformation.parent),
  sized('KERNEL_USER_TIMES', processTimes.size),
  at('KERNEL_USER_TIMES', 'CreateTime', processTimes.created),
  at('KERNEL_USER_TIMES', 'ExitTime', processTimes.ended),
  at('KERNEL_USER_TIMES', 'KernelTime', processTimes.kernel),
  at('KERNEL_USER_TIMES', 'UserTime', processTimes.user),
  at('PEB_HEAD', 'ProcessParameters', layouts.pebParameters),
  at('RTL_USER_PROCESS_PARAMETERS', 'ConsoleHandle', parameters.console),
  ...(['StandardInput', 'StandardOutput', 'StandardError'] as const).map((name, fd) =>
    at('RTL_USER_PROCESS_PARAMETERS', name, parameters.standard[fd] ?? -1),
  ),
  at('RTL_USER_PROCESS_PARAMETERS', 'CurrentDirectory', parameters.folder),
  at('RTL_USER_PROCESS_PARAMETERS', 'ImagePathName', parameters.image),
  at('RTL_USER_PROCESS_PARAMETERS', 'CommandLine', parameters.commandLine),
  at('RTL_USER_PROCESS_PARAMETERS', 'Environment', parameters.environment),
  at('RTL_USER_PROCESS_PARAMETERS', 'EnvironmentSize', parameters.environmentBytes),
  sized('UNICODE_STRING', unicodeString.size),
  at('UNICODE_STRING', 'Length', unicodeString.bytes),
  at('UNICODE_STRING', 'Buffer', unicodeString.pointer),
  ['ProcessBasicInformation', processClass.basic],
  ['ProcessTimes', processClass.times],
  ['ProcessDebugPort', processClass.debugPort],
  ['ProcessSessionInformation', processClass.session],
  ['ProcessBreakOnTermination', processClass.breakOnTermination],
  ['ProcessImageFileNameWin32', processClass.imageName],
  ['ProcessCommandLineInformation', processClass.commandLine],
  ['ProcessProtectionInformation', processClass.protection],
  ['SystemProcessInformation', systemClass.processes],
  ['TokenUser', tokenClass.user],
  ['TokenElevation', tokenClass.elevation],
  ['TokenIntegrityLevel', tokenClass.integrity],
  sized('TOKEN_USER', layouts.sid.inTokenUser),
  at('SID', 'SubAuthorityCount', layouts.sid.count),
  at('SID', 'SubAuthority', layouts.sid.header),
  ['SID_MAX_SUB_AUTHORITIES', layouts.sid.maxCount],
  sized('MIB_TCPROW_OWNER_PID', tcpRow.tcp4.size),
  at('MIB_TCPROW_OWNER_PID', 'dwState', tcpRow.tcp4.state),
  at('MIB_TCPROW_OWNER_PID', 'dwLocalAddr', tcpRow.tcp4.local),
  at('MIB_TCPROW_OWNER_PID', 'dwLocalPort', tcpRow.tcp4.localPort),
  at('MIB_TCPROW_OWNER_PID', 'dwRemoteAddr', tcpRow.tcp4.remote),
  at('MIB_TCPROW_OWNER_PID', 'dwRemotePort', tcpRow.tcp4.remotePort),
  at('MIB_TCPROW_OWNER_PID', 'dwOwningPid', tcpRow.tcp4.pid),
  sized('MIB_TCP6ROW_OWNER_PID', tcpRow.tcp6.size),
  at('MIB_TCP6ROW_OWNER_PID', 'dwState', tcpRow.tcp6.state),
  at('MIB_TCP6ROW_OWNER_PID', 'ucLocalAddr', tcpRow.tcp6.local),
  at('MIB_TCP6ROW_OWNER_PID', 'dwLocalPort', tcpRow.tcp6.localPort),
  at('MIB_TCP6ROW_OWNER_PID', 'ucRemoteAddr', tcpRow.tcp6.remote),
  at('MIB_TCP6ROW_OWNER_PID', 'dwRemotePort', tcpRow.tcp6.remotePort),
  at('MIB_TCP6ROW_OWNER_PID', 'dwOwningPid', tcpRow.tcp6.pid),
  sized('MIB_UDPROW_OWNER_PID', udpRow.udp4.size),
  at('MIB_UDPROW_OWNER_PID', 'dwLocalPort', udpRow.udp4.localPort),
  at('MIB_UDPROW_OWNER_PID', 'dwOwningPid', udpRow.udp4.pid),
  sized('MIB_UDP6ROW_OWNER_PID', udpRow.udp6.size),
  at('MIB_UDP6ROW_OWNER_PID', 'dwLocalPort', udpRow.udp6.localPort),
  at('MIB_UDP6ROW_OWNER_PID', 'dwOwningPid', udpRow.udp6.pid),
];

/** What is taken from phnt, in the order in which each needs the ones before. */
const taken = [
  'enum _KTHREAD_STATE',
  'enum _KWAIT_REASON',
  'enum _PROCESSINFOCLASS',
  'enum _SYSTEM_INFORMATION_CLASS',
  'struct _SYSTEM_PROCESS_INFORMATION',
  'struct _PROCESS_BASIC_INFORMATION',
  'struct _KERNEL_USER_TIMES',
  'struct _CURDIR',
  'struct _RTL_DRIVE_LETTER_CURDIR',
  'struct _RTL_USER_PROCESS_PARAMETERS',
  'struct _PEB',
];

/** Fields behind these are not needed, and of types that would have to be taken too. */
const cutAfter: Readonly<Record<string, string>> = {
  'struct _SYSTEM_PROCESS_INFORMATION': 'OtherTransferCount;',
  'struct _PEB': 'ProcessParameters;',
};

/** Types that mingw-w64's windows.h leaves out. */
const prelude = `#include <winsock2.h>
#include <windows.h>
#include <iphlpapi.h>
#include <stddef.h>
typedef LONG KPRIORITY;
typedef LONG NTSTATUS;
typedef struct { USHORT Length; USHORT MaximumLength; PWCH Buffer; } UNICODE_STRING, *PUNICODE_STRING;
typedef struct { USHORT Length; USHORT MaximumLength; PCHAR Buffer; } STRING;
typedef struct { HANDLE UniqueProcess; HANDLE UniqueThread; } CLIENT_ID;
#define RTL_MAX_DRIVE_LETTERS 32
`;

/** Returns the declaration of a type in phnt's text. */
const declarationOf = (text: string, name: string): string => {
  const from = text.indexOf(`typedef ${name}\n`);
  if (from === -1) throw new Error(`phnt has no "${name}" any more`);
  const short = name.split(' _')[1] ?? '';
  const cut = cutAfter[name];
  if (cut !== undefined) {
    const to = text.indexOf(cut, from) + cut.length;
    return `${text.slice(from, to)}\n} ${short}_HEAD;\n`.replace(/typedef struct \w+/u, 'typedef struct');
  }
  const [end = ''] = new RegExp(String.raw`\n\} ${short}\b[^;]*;`, 'u').exec(text.slice(from)) ?? [];
  return `${text.slice(from, text.indexOf(end, from) + end.length)}\n`;
};

const headersIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.h'))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))
    .join('\n');

const run = (command: string, args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
};

const folder = mkdtempSync(join(tmpdir(), 'curfew-phnt-'));
try {
  const [given] = process.argv.slice(2);
  if (given === undefined) {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
    writeFileSync(join(folder, 'phnt.tar.gz'), Buffer.from(await answer.arrayBuffer()));
    run('tar', ['-xzf', join(folder, 'phnt.tar.gz'), '-C', folder]);
  }
  const text = headersIn(given ?? folder);
  const program = [
    prelude,
    'typedef struct _RTL_USER_PROCESS_PARAMETERS *PRTL_USER_PROCESS_PARAMETERS;',
    'typedef struct _PEB *PPEB;',
    'typedef struct _PEB_LDR_DATA *PPEB_LDR_DATA;',
    'typedef struct { LARGE_INTEGER unused[10]; } SYSTEM_THREAD_INFORMATION;',
    ...taken.map((name) => declarationOf(text, name)),
    ...expected.map(
      ([expression, value]) => `_Static_assert((${expression}) == ${value}, "${expression} is not ${value}");`,
    ),
  ].join('\n');
  writeFileSync(join(folder, 'compared.c'), program);
  const { status, stderr, error } = spawnSync(compiler, ['-fsyntax-only', join(folder, 'compared.c')], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(error?.message ?? stderr);
    process.exitCode = 1;
  } else console.log(`${expected.length} numbers of Windows are as phnt and mingw-w64 have them`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
