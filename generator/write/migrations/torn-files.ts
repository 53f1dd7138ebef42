import { posix } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import { manifestPaths } from '../../load/manifest-entries.js'
import { at, svcPaths, type Target } from '../target.js'

/** Files of a migration, and those that run it. */
const read = [
  ...manifestPaths,
  ...['config', 'app', 'routes', 'runtime', 'prisma/schema', 'prisma/migrations'],
  ...[svcPaths.base, svcPaths.lock],
]

const mark = (line: string) => new RegExp(`^${line}`, 'm')
const marks = [mark('<{7} '), mark('={7}$'), mark('>{7} ')]

/** Before a database or a migration is touched: what two branches left to be settled says nothing that could be meant. */
export function refuseTornFiles(target: Target): void {
  const torn = read
    .flatMap((path) => [path, ...pathsBelow(target, path)])
    .filter((path) => isTorn(target, path))
    .toSorted()
  if (torn.length === 0) return
  const more = torn.length > mostNamed ? [`  and ${torn.length - mostNamed} more`] : []
  const lines = [
    'Nothing was done: a merge is not settled. Both of its sides are in',
    ...torn.slice(0, mostNamed).map((path) => `  ${path}`),
    ...more,
    "  fix    settle what is yours by hand (the manifest, code, SQL); then `svc generate` settles what is svc's, or says what it cannot;",
    '         then run this again',
  ]
  throw new Refusal(lines.join('\n'))
}

const mostNamed = 10

function pathsBelow(target: Target, folder: string): readonly string[] {
  return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
    const path = posix.join(folder, name)
    if (kind === 'folder') return pathsBelow(target, path)
    return kind === 'file' ? [path] : []
  })
}

function isTorn(target: Target, path: string): boolean {
  try {
    const text = target.files.read(at(target, path)) ?? ''
    return marks.every((each) => each.test(text))
  } catch {
    // A file that is no text contains no lines of git.
    return false
  }
}
