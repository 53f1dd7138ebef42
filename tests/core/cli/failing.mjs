/** Preloaded by a test: svc cannot write while there is a file `bug`, and something in it throws once there is a `crash`. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const place = fs.linkSync
fs.linkSync = (...parameters) => {
  if (fs.existsSync('bug')) throw new Error('a bug of the test')
  return place(...parameters)
}
syncBuiltinESMExports()

setInterval(() => {
  if (fs.existsSync('crash')) throw new Error('a crash of the test')
}, 50).unref()
