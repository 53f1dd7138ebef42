#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { run } from './commands/run.js'
import { commandLine } from './features/commands.js'

// Bytes of code that a function runs before V8 optimizes it, which is four times the usual: a command ends after seconds, and
// of `svc generate` for 1,000 repositories a fifth of the CPU went into code that was optimized and then not run any more.
// Later versions know no such flag, and complain.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=500000')

// The reader of a pipe may have read enough (`svc … | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), commandLine)
