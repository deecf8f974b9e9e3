import { EventEmitter } from 'node:events';
import type { CustomScheme, Session } from 'electron';
import { desktop } from './desktop.ts';

type SchemeHandler = (request: { readonly method: string; readonly url: string }) => Response | Promise<Response>;
type RequestHandler = (
  details: { readonly url: string },
  answer: (verdict: { readonly cancel?: boolean }) => void,
) => void;

/** A session: remembers its handlers. */
export class FakeSession extends EventEmitter {
  readonly schemes = new Map<string, SchemeHandler>();
  permissionRequest: Parameters<Session['setPermissionRequestHandler']>[0] = null;
  permissionCheck: Parameters<Session['setPermissionCheckHandler']>[0] = null;
  device: Parameters<Session['setDevicePermissionHandler']>[0] = null;
  displayMedia: Parameters<Session['setDisplayMediaRequestHandler']>[0] = null;
  beforeRequest: RequestHandler | null = null;
  readonly protocol = {
    handle: (scheme: string, handler: SchemeHandler): void => {
      this.schemes.set(scheme, handler);
    },
  };
  readonly webRequest = {
    onBeforeRequest: (handler: RequestHandler): void => {
      this.beforeRequest = handler;
    },
  };

  setPermissionRequestHandler(handler: Parameters<Session['setPermissionRequestHandler']>[0]): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: Parameters<Session['setPermissionCheckHandler']>[0]): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(handler: Parameters<Session['setDevicePermissionHandler']>[0]): void {
    this.device = handler;
  }

  setDisplayMediaRequestHandler(handler: Parameters<Session['setDisplayMediaRequestHandler']>[0]): void {
    this.displayMedia = handler;
  }

  /** Answers a request of a page as the shell would: first whether it is allowed. */
  async request(method: string, url: string): Promise<Response> {
    let cancelled = false;
    this.beforeRequest?.({ url }, ({ cancel }) => {
      cancelled = cancel === true;
    });
    const handler = this.schemes.get(new URL(url).protocol.slice(0, -1));
    if (cancelled || handler === undefined) return new Response(null, { status: 403 });
    return handler({ method, url });
  }
}

const partitions = new Map<string, FakeSession>();
let defaultSession = new FakeSession();

/** As in a new process. */
export const forgetSessions = (): void => {
  partitions.clear();
  defaultSession = new FakeSession();
};

/** `session`. */
export const session = {
  get defaultSession(): FakeSession {
    desktop.mustBeReady('Session');
    return defaultSession;
  },
  fromPartition: (name: string): FakeSession => {
    desktop.mustBeReady('Session');
    const known = partitions.get(name) ?? new FakeSession();
    partitions.set(name, known);
    return known;
  },
};

/** `protocol`, before any session. */
export const protocol = {
  schemes: [] as CustomScheme[],
  registerSchemesAsPrivileged: (schemes: CustomScheme[]): void => {
    desktop.mustNotBeReady('protocol.registerSchemesAsPrivileged');
    protocol.schemes = schemes;
  },
};
