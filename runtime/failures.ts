import { SetupError } from './setup-error.js'

/**
 * Imported first by the scripts that start something: a wrong set-up is a sentence on stderr and
 * exit code 1, anything else keeps its stack. Also for failures while the other modules are
 * loaded.
 */
process.on('uncaughtException', (error) => {
  const text = error instanceof SetupError ? error.message : (error.stack ?? String(error))
  process.stderr.write(`\n${text}\n\n`)
  process.exit(1)
})
