import { isHostName, localHost } from './host-name.ts';

/** Machines from a list, each once, in its order; and the lines that name none. */
export interface HostList {
  readonly hosts: readonly string[];
  /** With their numbers, counted from 1. */
  readonly bad: readonly { readonly line: number; readonly text: string }[];
}

/** Reads a list of machines: one a line, blank lines and what follows a `#` left out. */
export const parseHostList = (text: string): HostList => {
  const hosts = new Set<string>();
  const bad: { line: number; text: string }[] = [];
  for (const [at, whole] of text.split(/\r?\n/u).entries()) {
    const name = whole.replace(/#.*$/u, '').trim();
    if (name === '') continue;
    if (name === localHost || isHostName(name)) hosts.add(name);
    else bad.push({ line: at + 1, text: name });
  }
  return { hosts: [...hosts], bad };
};
