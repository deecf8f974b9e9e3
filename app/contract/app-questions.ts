import { z } from 'zod';
import { portListSchema } from './views/port-view.ts';
import { sessionListSchema } from './views/session-costs.ts';
import { snapshotSchema } from './views/snapshot.ts';
import { saidSchema } from './views/said.ts';
import { agentSchema, countSchema, secondsSchema } from './views/view.ts';

/** An agent on this machine, and which of Curfew's hooks are installed into it. */
export const agentHooksSchema = z.object({
  agent: agentSchema,
  name: z.string(),
  /** Folder where it was found; null if it is not on this machine. */
  found: z.string().nullable(),
  version: z.string().nullable(),
  hooks: z.enum(['installed', 'partly', 'absent', 'unsupported']),
  /** The file that would be written, with a line diff of the change. */
  file: z.string().nullable(),
  changes: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), line: z.string() })),
  /** Why hooks can't be installed, or what is wrong with them. */
  note: saidSchema.nullable(),
});

export type AgentHooks = z.infer<typeof agentHooksSchema>;

/** One check of `doctor`. */
export const checkSchema = z.object({
  code: z.string(),
  /** A key of the catalogue. */
  title: z.string(),
  state: z.enum(['good', 'warning', 'failure', 'skipped']),
  text: saidSchema,
  advice: saidSchema.nullable(),
});

export type Check = z.infer<typeof checkSchema>;

/** Whether Curfew starts when the user logs in. */
export const autostartSchema = z.object({
  state: z.enum(['enabled', 'disabled', 'unsupported']),
  /** What enabling writes, or why it is unavailable. */
  text: saidSchema,
});

export type Autostart = z.infer<typeof autostartSchema>;

/**
 * The shortcut that opens the popover from everywhere.
 * - `off`: none is chosen
 * - `on`: it works
 * - `taken`: another program has it, or the system refuses it
 * - `unsupported`: this surface or desktop has no shortcuts
 */
const shortcutStates = ['off', 'on', 'taken', 'unsupported'] as const;

export type ShortcutState = (typeof shortcutStates)[number];

/** A machine that Curfew watches over SSH. */
const hostCheckSchema = z.object({
  reachable: z.boolean(),
  text: saidSchema,
  jobs: countSchema.nullable(),
});

/** The windows, and the places in them that can be opened. */
export const placeSchema = z.discriminatedUnion('window', [
  z.object({ window: z.literal('popover'), job: z.string().nullable() }),
  z.object({ window: z.literal('settings'), section: z.string().nullable() }),
  z.object({ window: z.literal('history'), incident: z.string().nullable() }),
  z.object({ window: z.literal('sessions') }),
  z.object({ window: z.literal('ports'), port: z.string().nullable() }),
  z.object({ window: z.literal('files') }),
]);

export type Place = z.infer<typeof placeSchema>;

/** Told once, to all windows together: an upgrade, a week's sum, and its notification. */
export const toldOnce = ['version', 'week', 'week-notice'] as const;

/** Questions and actions about Curfew as a whole. */
export const appQuestions = {
  'snapshot.get': { input: z.object({}), output: snapshotSchema },
  /** Pauses automatic endings and notifications for this long; null: until resumed. */
  'watch.pause': { input: z.object({ seconds: secondsSchema.min(1).nullable() }), output: z.object({}) },
  'watch.resume': { input: z.object({}), output: z.object({}) },
  /** Checks at once. */
  'watch.look': { input: z.object({}), output: z.object({}) },
  /** A user looks at jobs: checks are closer for 10 s, at bounded cost. Repeated meanwhile. */
  'watch.attend': { input: z.object({}), output: z.object({}) },
  /** What every session costs. Measures all of their processes, so ask only while it is shown. */
  'sessions.list': { input: z.object({}), output: sessionListSchema },
  /** What listens on ports of this machine, as `curfew port` says it. Ask while it is shown. */
  'ports.list': { input: z.object({}), output: portListSchema },
  /** The choice that the welcome asks for once; later the same switch changes it. */
  'mode.set': { input: z.object({ mode: z.enum(['enforce', 'observe']) }), output: z.object({}) },
  'hooks.status': { input: z.object({}), output: z.object({ agents: z.array(agentHooksSchema) }) },
  'hooks.install': { input: z.object({ agent: agentSchema }), output: agentHooksSchema },
  'hooks.uninstall': { input: z.object({ agent: agentSchema }), output: agentHooksSchema },
  'autostart.status': { input: z.object({}), output: autostartSchema },
  'autostart.set': { input: z.object({ enabled: z.boolean() }), output: autostartSchema },
  'host.check': { input: z.object({ host: z.string().min(1).max(255) }), output: hostCheckSchema },
  'doctor.run': { input: z.object({}), output: z.object({ checks: z.array(checkSchema) }) },
  'app.open': { input: z.object({ place: placeSchema }), output: z.object({}) },
  /** Copies to the clipboard, for which a sandboxed page has no permission. */
  'app.copy': { input: z.object({ text: z.string().max(1_000_000) }), output: z.object({}) },
  /**
   * Opens a folder or a text file of this machine; anything that opening could start is shown in
   * the file manager instead. Only a desktop can.
   */
  'app.openPath': {
    input: z.object({ path: z.string().min(1).max(4096) }),
    output: z.object({ did: z.enum(['opened', 'shown']) }),
  },
  /** Opens what listens on a port of this machine in the user's browser; only a desktop can. */
  'app.openPort': { input: z.object({ port: z.number().int().min(1).max(65_535) }), output: z.object({}) },
  /** Whether the shortcut of the settings opens the popover; only a desktop has one. */
  'shortcut.status': { input: z.object({}), output: z.object({ state: z.enum(shortcutStates) }) },
  /** What was told of this last; null: nothing. Then, and if it was seen, `now` replaces it. */
  'app.told': {
    input: z.object({ what: z.enum(toldOnce), now: z.string().max(100), seen: z.boolean() }),
    output: z.object({ before: z.string().nullable() }),
  },
  'app.quit': { input: z.object({}), output: z.object({}) },
} as const;
