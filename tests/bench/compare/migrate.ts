import { spawnSync } from 'node:child_process'
import { environment } from '../blog.js'

/** Makes the tables of a built server. */
export function migrate(folder: string, url: string): void {
  const env = { ...environment(''), DATABASE_URL: url }
  const line = ['dist/app/migrate.js']
  const { status, signal, stderr, error } = spawnSync('node', line, {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status === 0) return
  throw new Error(`the migration ended with ${status ?? signal ?? error?.message}: ${stderr}`)
}
