// Preloaded: each process of a measured command says at its end what it took. Threads count, and esbuild does not.
import { appendFileSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const cpu = (userCPUTime + systemCPUTime) / 1000
  appendFileSync(process.env.USAGE, `${JSON.stringify({ cpu, mb: maxRSS / 1024 })}\n`)
})
