// Preloaded: counts the statements that better-sqlite3 runs in this process, whoever loads it, and says so when asked.
const Module = require('node:module')

let statements = 0
const seen = new WeakSet()
const load = Module._load

Module._load = function (...call) {
  const loaded = load.apply(this, call)
  const isDriver = /(^|node_modules[/\\])better-sqlite3(-napi)?([/\\]lib[/\\]index\.js|$)/.test(
    call[0],
  )
  if (isDriver && typeof loaded === 'function' && !seen.has(loaded)) watch(loaded)
  return loaded
}

function watch(Database) {
  seen.add(Database)
  const database = new Database(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('select 1'))
  for (const name of ['run', 'get', 'all', 'iterate']) count(statement, name)
  count(Database.prototype, 'exec')
  database.close()
}

function count(prototype, name) {
  const call = prototype[name]
  prototype[name] = function (...args) {
    statements += 1
    return call.apply(this, args)
  }
}

process.on('message', () => {
  process.send(statements)
  statements = 0
})
process.channel?.unref()
