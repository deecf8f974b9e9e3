/**
 * What a page runs first: the built preload, with the part of `electron` that a sandbox has. What
 * it exposes is copied and frozen, functions passed on, as contextBridge does it. Unlike in
 * Electron it is no isolated world: both share one page here.
 */
export const preloadScript = (preload: string): string => `(() => {
  const listeners = new Map();
  globalThis.__curfewTell = (channel, payload) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, payload);
  };
  const line = globalThis.__curfewLine;
  const across = (value) => {
    if (typeof value === 'function') return (...input) => across(value(...input.map(across)));
    if (value instanceof Promise) return value.then(across);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return Object.freeze(value.map(across));
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, across(each)])));
  };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (key, api) => Object.defineProperty(globalThis, key, { value: across(api), enumerable: true }),
    },
    ipcRenderer: {
      invoke: (channel, ...input) => line('invoke', channel, input),
      send: (channel, ...input) => void line('send', channel, input),
      on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    },
  };
  const require = (name) => {
    if (name !== 'electron') throw new Error('module not found: ' + name);
    return electron;
  };
  (function (require, module, exports) {
${preload}
  })(require, { exports: {} }, {});
})();`;
