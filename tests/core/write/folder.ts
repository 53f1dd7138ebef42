import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import { disk, type Files } from '../../../generator/write/files.js'
import type { Target } from '../../../generator/write/target.js'

export type Texts = Record<string, string>

/** A temporary project that holds these files and goes with the test. */
export function folder(texts: Texts = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-write-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  fill(root, texts)
  return root
}

export function fill(root: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const fleeting = /^\.svc\/(journal|run\.lock|tidied\.json|migrated|broken\.json|\.gitignore)/

/** Every text of a project, without what svc keeps for itself between runs. */
export function textsOf(root: string): Texts {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !fleeting.test(path))
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
}

/** Waits for no other run. */
export const target = (root: string, files: Files = disk): Target => ({ root, files, waitMs: 0 })

/** How a call fails: once, as a full disk does, or with every call after it, as when the process is killed. */
export type Failure = 'once' | 'from then on'

/** The disk, of which the nth call fails. */
export function failing(n: number, failure: Failure): { files: Files; calls: () => number } {
  return watched((call, name) => {
    const fails = failure === 'once' ? call === n : call >= n
    if (fails) throw Object.assign(new Error(`call ${call}, ${name}`), { code: 'EIO' })
  })
}

/** The disk, and what happens right before each call of it. */
export function watched(before: (call: number, name: string) => void): {
  files: Files
  calls: () => number
} {
  let calls = 0
  const files = new Proxy(disk, {
    get(real, name: keyof Files) {
      return (...parameters: never[]) => {
        calls += 1
        before(calls, name)
        // The proxy passes a call on as it came.
        return (real[name] as (...all: never[]) => unknown)(...parameters)
      }
    },
  })
  return { files, calls: () => calls }
}
