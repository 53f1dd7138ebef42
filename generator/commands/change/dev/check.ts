import { readBroken, saveBroken } from '../../../write/compile/broken-lines.js'
import { readClient, filesToCheck, type Checked } from '../../../write/compile/compile-check.js'
import { compile } from '../../../write/compile/compile.js'
import { importersOf } from '../../../write/compile/reached.js'
import { readCode } from '../../../write/project/read-code.js'
import { at, svcPaths, targetAt } from '../../../write/target.js'
import { importsClient } from '../client-users.js'
import type { Outcome } from '../generate-options.js'

/** Finds what a developer's save broke, once the server answers with it. What was not compiled is compiled the next time. */
export interface Check {
  /** Saved by the developer. */
  noteSaved(paths: readonly string[]): void
  /** Written by svc. */
  noteRun(outcome: Extract<Outcome, { kind: 'planned' }>): void
  /** Called while `prisma/client` is the one of before. */
  noteClient(): void
  /** Lines that compiled at an earlier one and do not now; null: nothing has to be compiled, or the signal came first. */
  run(signal: AbortSignal): Promise<Checked | null>
}

/** The compiler has a thread of low priority, and nobody waits for it. */
const limits = { timeoutMs: 120_000, memoryMb: 1024 }

const isOwnCode = (path: string) => /^(app|routes|config|tests|prisma)\/.*\.[cm]?ts$/.test(path)

export function openCheck(root: string): Check {
  const target = targetAt(root)
  const read = (path: string) => target.files.read(at(target, path))
  /** The project's code as the developer last saw it compiled. */
  const texts = new Map(readCode(target))
  const before = new Map<string, string | null>()
  const files = new Set<string>()

  const noteText = (path: string, text: string | null) => {
    if (!before.has(path)) before.set(path, text)
  }
  return {
    noteSaved: (paths) => {
      const saved = paths.filter((path) => isOwnCode(path) && texts.get(path) !== read(path))
      for (const path of saved) {
        noteText(path, texts.get(path) ?? null)
        const text = read(path)
        if (text === null) texts.delete(path)
        else texts.set(path, text)
      }
      for (const path of [...saved, ...importersOf(texts, new Set(saved))]) files.add(path)
    },
    noteRun: ({ prepared, blueprint }) => {
      for (const path of filesToCheck(target, prepared.plan, blueprint.entities).keys())
        files.add(path)
      for (const { path, before: text, after } of prepared.changes) {
        if (path.startsWith(svcPaths.folder)) continue
        noteText(path, text)
        if (after === null) texts.delete(path)
        else if (texts.has(path) || isOwnCode(path)) texts.set(path, after)
      }
    },
    noteClient: () => {
      if (![...files].some((path) => importsClient(texts.get(path) ?? ''))) return
      for (const [path, text] of readClient(target)) noteText(path, text)
    },
    run: async (signal) => {
      const stillBroken = readBroken(target)
      const all = new Set([...files, ...stillBroken.map(({ path }) => path)])
      const paths = [...all].filter((path) => read(path) !== null)
      if (paths.length === 0) return null
      const named = paths.map((path) => ({ now: path, before: path }))
      const compilation = {
        root,
        paths: named,
        before: [...before],
        stillBroken,
        isPatient: true,
      } as const
      const checked = await compile(compilation, limits, signal)
      if (signal.aborted) return null
      files.clear()
      before.clear()
      if (checked.isComplete) saveBroken(target, checked.broken)
      return checked
    },
  }
}
