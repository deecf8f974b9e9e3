import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { processArgumentsIn } from '../../main/os/darwin/kernel/arguments.ts';
import { markerNames } from '../../main/os/processes/environ.ts';
import { argumentArea, kernelStrings, type Started } from './argument-area.ts';

// The kernel's own code that lays out KERN_PROCARGS2, taken out of a downloaded XNU, compiled and
// run beside what the simulated kernel puts together. Apple's licence (APSL 2.0, 2.1 and 2.2)
// allows this use; nothing of it stays.

/** What the taken code needs of the kernel around it. */
const around = String.raw`
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
typedef uint64_t user_addr_t; typedef int boolean_t; typedef char *caddr_t; typedef uint64_t vm_offset_t;
enum { TRUE = 1, FALSE = 0, UIO_USERSPACE32 = 1, UIO_USERSPACE64, UIO_SYSSPACE, NCARGS = 1 << 20, PAGE_SIZE = 4096 };
enum { MAXPATHLEN = 1024, IMGPF_WAS_64BIT_ADDR = 1, IMGPF_IS_64BIT_ADDR = 2, IMGPF_INTERPRET = 4 };
#define UIO_SEG_IS_USER_SPACE(seg) ((seg) != UIO_SYSSPACE)
#define CAST_DOWN(type, it) ((type)(uintptr_t)(it))
#define CAST_USER_ADDR_T(it) ((user_addr_t)(uintptr_t)(it))
#define IS_WHITESPACE(it) ((it) == ' ' || (it) == '\t')
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define assert(it) do { if (!(it)) abort(); } while (0)
struct image_params {
  char *ip_strings, *ip_strendp, *ip_startargv, *ip_endargv, *ip_endenvv, *ip_interp_buffer;
  user_addr_t ip_user_argv, ip_user_envv, ip_user_fname;
  int ip_strspace, ip_argspace, ip_argc, ip_envc, ip_flags, ip_seg, ip_interp_sugid_fd;
};
static int copystr(const char *from, char *to, size_t most, size_t *length) {
  size_t whole = strlen(from) + 1;
  *length = MIN(whole, most);
  memcpy(to, from, *length);
  return whole > most ? ENAMETOOLONG : 0;
}
static int copyinstr(user_addr_t from, char *to, size_t most, size_t *length) {
  return copystr(CAST_DOWN(char *, from), to, most, length);
}
static int copyinptr(user_addr_t from, user_addr_t *to, int bytes) {
  memcpy(to, CAST_DOWN(void *, from), (size_t)bytes);
  return 0;
}
`;

/** Reads programs, each with its lists of strings, and writes what the kernel tells of them. */
const main = String.raw`
static char *word(void) {
  static char *line;
  static size_t room;
  return getdelim(&line, &room, 0, stdin) < 0 ? NULL : strdup(line);
}
static char **words(void) {
  int count = atoi(word());
  char **all = calloc((size_t)count + 1, sizeof(char *));
  for (int i = 0; i < count; i++) all[i] = word();
  return all;
}
int main(void) {
  static char strings[NCARGS + PAGE_SIZE];
  for (char *hides; (hides = word()) != NULL;) {
    struct image_params image = { .ip_strings = strings, .ip_strendp = strings, .ip_strspace = NCARGS + PAGE_SIZE,
      .ip_argspace = NCARGS, .ip_flags = IMGPF_WAS_64BIT_ADDR | IMGPF_IS_64BIT_ADDR, .ip_seg = UIO_USERSPACE64 };
    char *path = word();
    image.ip_user_argv = CAST_USER_ADDR_T(words());
    image.ip_user_envv = CAST_USER_ADDR_T(words());
    char **ofKernel = words();
    if (exec_save_path(&image, CAST_USER_ADDR_T(path), UIO_USERSPACE64, NULL) != 0) abort();
    if (exec_extract_strings(&image) != 0) abort();
    for (; *ofKernel != NULL; ofKernel++)
      if (exec_add_user_string(&image, CAST_USER_ADDR_T(*ofKernel), UIO_SYSSPACE, FALSE) != 0) abort();
    size_t argslen = (size_t)(image.ip_strendp - strings) - strlen(EXECUTABLE_KEY);
    vm_offset_t copy_end = (vm_offset_t)(uintptr_t)image.ip_strendp;
    if (*hides == '1') copy_end = omitted(image.ip_argc, copy_end, &argslen);
    int size = (int)(argslen + sizeof(int));
    fwrite(&size, sizeof(int), 1, stdout);
    fwrite(&image.ip_argc, sizeof(int), 1, stdout);
    fwrite((char *)(uintptr_t)(copy_end - argslen), 1, argslen, stdout);
  }
  return 0;
}
`;

/** Returns a function of C by its name, from its type to its last brace. */
const functionIn = (source: string, name: string): string => {
  const found = new RegExp(String.raw`^static int\n${name}\([^]*?^\}$`, 'mu').exec(source);
  if (found === null) throw new Error(`XNU has no ${name}`);
  return found[0];
};

/** Returns the part of sysctl_procargsx that leaves out the environment, as a function. */
const omitting = (source: string): string => {
  const found = /^\t\targvsize = 0;$[^]*?^\t\targslen = argvsize;$/mu.exec(source);
  if (found === null) throw new Error('XNU has no part that leaves out the environment');
  return `static vm_offset_t omitted(int argc, vm_offset_t copy_end, size_t *length) {
    size_t argslen = *length, argvsize, remaining, current_arg_index, current_arg_len; const char *current_arg;
    ${found[0]} *length = argslen; return copy_end; }`;
};

/** Text without NUL that a program may have as an argument: also empty, and with bytes of UTF-8. */
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\0', ''));
const program = fc.record({
  path: text.map((one) => `/${one}`),
  argv: fc.array(text, { minLength: 1, maxLength: 8 }),
  env: fc.array(
    fc.tuple(fc.stringMatching(/^[A-Z_]{1,12}$/u), text).map((pair) => pair.join('=')),
    { maxLength: 8 },
  ),
  hides: fc.boolean(),
});

const nul = (words: readonly string[]): string => words.map((word) => `${word}\0`).join('');
const list = (words: readonly string[]): string => nul([String(words.length), ...words]);

/** Of how many programs the bytes were compared, and what differs. */
export interface ComparedStrings {
  readonly programs: number;
  readonly wrong: readonly string[];
}

const differencesOf = (started: Started & { readonly hides: boolean }, bytes: Buffer): readonly string[] => {
  const { path, argv, env, hides } = started;
  const told = JSON.stringify([path, argv, env, hides]);
  const read = processArgumentsIn(bytes, markerNames(['CLAUDECODE']));
  const said = read === null ? 'nothing' : JSON.stringify(read.argv);
  // Arguments that all look like variables stand for a title: the reader says less then.
  const isWhole = said === JSON.stringify(argv) || read?.argumentBytes === null;
  return [
    ...(bytes.equals(argumentArea(started, hides)) ? [] : [`the simulated kernel tells otherwise of ${told}`]),
    ...(isWhole ? [] : [`${said} is read of ${told}`]),
  ];
};

/**
 * Compares what the kernel's code lays out for random programs with what the simulated kernel does,
 * and with what is read of it.
 * @param xnu a folder with a source tree of XNU
 * @throws with what the compiler says, or where a part of the code is not found
 */
export const compareStrings = (xnu: string, programs = 2_000): ComparedStrings => {
  const source = (file: string): string => readFileSync(join(xnu, 'bsd/kern', file), 'utf8');
  const exec = source('kern_exec.c');
  const folder = mkdtempSync(join(tmpdir(), 'curfew-xnu-'));
  const run = (command: string, args: readonly string[], input = Buffer.alloc(0)): Buffer => {
    const { status, stdout, stderr } = spawnSync(command, args, { input, maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`${command}: ${stderr?.toString()}`);
    return stdout;
  };
  try {
    const code = [
      around,
      '#define EXECUTABLE_KEY "executable_path="',
      ...['exec_save_path', 'exec_extract_strings'].map((name) => functionIn(exec, name)),
      omitting(source('kern_sysctl.c')),
      main,
    ];
    code.splice(2, 0, functionIn(exec.replaceAll('__attribute__((noinline))\n', ''), 'exec_add_user_string'));
    const file = join(folder, 'strings.c');
    writeFileSync(file, code.join('\n').replaceAll('__attribute__((noinline))', ''));
    run('cc', ['-w', '-D_GNU_SOURCE', '-o', join(folder, 'strings'), file]);
    const played = fc.sample(program, programs);
    const asked = played.map(({ path, argv, env, hides }) =>
      [nul([hides ? '1' : '0', path]), list(argv), list(env), list(kernelStrings)].join(''),
    );
    const told = run(join(folder, 'strings'), [], Buffer.from(asked.join('')));
    const wrong: string[] = [];
    let at = 0;
    for (const started of played) {
      const length = told.readInt32LE(at);
      wrong.push(...differencesOf(started, told.subarray(at + 4, at + 4 + length)));
      at += 4 + length;
    }
    return { programs, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
