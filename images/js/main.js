// What a start-up snapshot of Node does when it is started: run the script that the command names,
// as Node without a snapshot would.
'use strict';
const { startupSnapshot } = require('v8');
const { resolve } = require('path');

startupSnapshot.setDeserializeMainFunction(() => {
  const at = process.execArgv.indexOf('--snapshot-blob');
  if (at >= 0) process.execArgv.splice(at, 2);
  process.argv[1] = resolve(process.argv[1]);
  require('module').runMain(process.argv[1]);
});
