// Preloaded into Node under Wine 8 (windows-units.ts): a socket that is told to keep alive before
// it connects, as fetch tells each of its own, can't connect there ("connect UNKNOWN").
import { Socket } from 'node:net';

const { value } = Object.getOwnPropertyDescriptor(Socket.prototype, 'setKeepAlive') as {
  readonly value: Socket['setKeepAlive'];
};

Socket.prototype.setKeepAlive = new Proxy(value, {
  apply: (own, socket: Socket, given: unknown[]): Socket => {
    const set = (): Socket => Reflect.apply(own, socket, given) as Socket;
    return socket.connecting || socket.pending ? socket.once('connect', set) : set();
  },
});
