/** Runs scripts of projects, one after another, for `resident.ts`: each as if it had the process for itself. */
import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const report = process.send.bind(process)
const addListener = process.on.bind(process)
const exit = process.exit.bind(process)

/** True if svc asks the script nothing more: one that ends itself then has done what it had to. */
let isLetGo = false
process.exit = (code) => (isLetGo && code === undefined ? end() : exit(code))

/** What the script that runs has registered, and the messages that came before it listened. */
let listeners = []
let waiting = []

process.on = process.once = (name, listener) => {
  listeners.push([name, listener])
  if (name === 'message') {
    process.channel.ref()
    for (const value of waiting.splice(0)) listener(value)
  } else if (name !== 'disconnect') addListener(name, listener)
  return process
}
process.send = (value) => report({ kind: 'message', value })

const tell = (name, ...values) => {
  for (const [of, listener] of listeners) if (of === name) listener(...values)
}

async function run({ cwd, env, file }) {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  // As in a process that nobody speaks to: what is pending keeps it, and nothing else.
  process.channel.unref()
  await import(pathToFileURL(file).href)
}

addListener('message', (order) => {
  if (order.kind === 'run') {
    isLetGo = false
    const isOver = () => rmSync(order.file)
    run(order).then(isOver, (error) => {
      isOver()
      // It ends the process, as it would end the script's own.
      setImmediate(() => {
        throw error
      })
    })
  } else if (order.kind === 'disconnect') {
    isLetGo = true
    process.channel.unref()
    tell('disconnect')
  } else if (listeners.some(([name]) => name === 'message')) tell('message', order.value)
  else waiting.push(order.value)
})

function end() {
  isLetGo = false
  for (const [name, listener] of listeners) process.off(name, listener)
  ;[listeners, waiting] = [[], []]
  process.channel.ref()
  report({ kind: 'over' })
}

/** Nothing is left to do for the script. */
addListener('beforeExit', end)
addListener('disconnect', () => exit())
