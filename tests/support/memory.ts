/**
 * Tests write hundreds of thousands of small files: on a disk with a journal, a third of their CPU time was the system's for
 * making them. Where Linux has memory to spare they go into a folder in memory, which goes with the run.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'

/** Bytes that have to be free; a run has written less than a quarter of it at any time. */
const enough = 4 * 1024 ** 3

/** For this process and those it starts, Vitest's own files too: so it is called where Vitest is configured. */
export function writeIntoMemory(): void {
  // Somebody who names a folder means it.
  if (process.env['TMPDIR'] !== undefined || !hasMemory()) return
  removeLeftOvers()
  const folder = mkdtempSync(join(memory, `svc-tests-${process.pid}-`))
  // PostgreSQL runs as 'nobody' where the tests run as root.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasMemory(): boolean {
  try {
    // What tests install there has commands.
    const isExecutable = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'))
    const { bavail, bsize } = statfsSync(memory)
    return isExecutable && Math.min(bavail * bsize, process.availableMemory()) >= enough
  } catch {
    return false
  }
}

/** Of runs that were killed. */
function removeLeftOvers(): void {
  for (const name of readdirSync(memory)) {
    const [, run] = /^svc-tests-(\d+)-/.exec(name) ?? []
    if (run !== undefined && !isRunning(Number(run))) {
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
}

function isRunning(run: number): boolean {
  try {
    return process.kill(run, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
