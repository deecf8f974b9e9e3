#!/usr/bin/env node
// The one file that an old Node must still be able to parse: plain ES5, no static import. It is
// copied, not bundled. 22.13 is the first Node that has node:sqlite without a flag
// (https://nodejs.org/api/sqlite.html).
var needed = [22, 13];
var version = process.versions.node.split('.').map(Number);

if (version[0] > needed[0] || (version[0] === needed[0] && version[1] >= needed[1])) {
  import('./index.js').catch(function (error) {
    process.stderr.write('curfew: failed: ' + ((error && error.stack) || error) + '\n');
    process.exitCode = 3;
  });
} else {
  process.stderr.write(
    'curfew: needs Node ' +
      needed.join('.') +
      ' or newer, and ' +
      process.execPath +
      ' is ' +
      process.versions.node +
      ': install a newer one, or run "npx curfew" in the checkout, which brings its own\n',
  );
  process.exitCode = 3;
}
