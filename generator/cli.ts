#!/usr/bin/env node
import { run } from './commands/run.js'

// Who reads through a pipe may have read enough (`svc … | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2))
