// bridge.ts SOCKET ADDRESS: carries the messages of a debugger's WebSocket, one a line, over a
// socket that the test reaches from outside of the scene's network.
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [, , path = '', address = ''] = process.argv;
const debugged = new WebSocket(address);
debugged.addEventListener('close', () => process.exit(0));
debugged.addEventListener('open', () => {
  createServer((connection) => {
    debugged.addEventListener('message', ({ data }) => void connection.write(`${String(data)}\n`));
    createInterface({ input: connection }).on('line', (line) => debugged.send(line));
    connection.on('close', () => process.exit(0));
  })
    // The path is there only once it can be connected to: bind(2) makes it before listen(2).
    .listen(`${path}.made`, () => renameSync(`${path}.made`, path));
});
