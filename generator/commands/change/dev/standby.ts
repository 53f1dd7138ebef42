import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runtimePackage } from '../../../write/project/runtime-form.js'
import { hasEnded, startBehind } from '../../children.js'
import type { Features } from '../../context.js'
import { Bundler } from './bundle.js'

/** Starts the project's server, faster from the second time on. */
export interface Starter {
  /** These files are not what they were. */
  note(changed: readonly string[]): void
  /** Lines about what is wrong with the code, in place of a start. */
  prepare(): Promise<Start | readonly string[]>
  /** Makes the next start a fast one: a process that has what the last one imported, and waits for its script. */
  warm(): void
  close(): Promise<void>
}

/** Starts what was prepared. */
export type Start = () => ChildProcess

/** Packages that svc's own code imports: loading them early or late makes no difference. */
const packages = ['@hono/node-server', 'hono', 'kysely', 'lru-cache', 'pino', 'zod', runtimePackage]

// The first argument is the file that people start, the others are packages. Where svc is gone, nobody sends a script.
const waiting = `
process.setSourceMapsEnabled(true)
const packages = process.argv.splice(2)
const entry = packages.shift()
const end = () => process.exit()
process.once('disconnect', end)
const given = new Promise((resolve) => process.once('message', resolve))
await Promise.allSettled(packages.map((name) => import(name)))
const script = await given
process.off('disconnect', end)
process.argv[1] = entry
await import(script)
`

interface Waiting {
  readonly child: ChildProcess
  /** A hash of what was installed then. */
  readonly installed: string
}

export function openStarter(root: string, features: Features): Starter {
  const preloaded = [...packages, ...features.flatMap(({ preloaded: names = [] }) => names)]
  const known = new RegExp(`^(${preloaded.join('|')})(/|$)`)
  // Beside the project's packages, which the script imports.
  const parent = join(root, '.svc/dev')
  const folder = join(parent, String(process.pid))
  const entry = join(folder, 'start.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(parent, '.gitignore'), '*\n')
  writeFileSync(entry, waiting)
  const bundler = new Bundler(root, folder)
  let imported: readonly string[] = []
  let ready: Waiting | null = null

  const spawned = (): Waiting => {
    const names = imported.filter((name) => known.test(name))
    const child = startBehind(root, [entry, join(root, 'app/server.ts'), ...names])
    child.on('error', () => {})
    return { child, installed: installedIn(root) }
  }
  const drop = () => {
    ready?.child.kill('SIGKILL')
    ready = null
  }
  return {
    note: (changed) => bundler.note(changed),
    prepare: async () => {
      const script = await bundler.build()
      if (script === null) return () => startBehind(root)
      if (!('file' in script)) return script
      imported = script.packages
      return () => {
        if (ready?.installed !== installedIn(root) || hasEnded(ready.child)) drop()
        const { child } = ready ?? spawned()
        ready = null
        child.send(pathToFileURL(script.file).href, () => {})
        return child
      }
    },
    warm: () => {
      if (ready === null && imported.length > 0) ready = spawned()
    },
    close: async () => {
      drop()
      await bundler.close()
      // Another `svc dev` of the project has a folder of its own beside it.
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Differs after `npm install`, and that of pnpm or yarn: what each writes at its end. */
function installedIn(root: string): string {
  const written = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'].map((name) =>
    statSync(join(root, 'node_modules', name), { throwIfNoEntry: false }),
  )
  return written.map((stat) => String(stat?.mtimeMs)).join(' ')
}
