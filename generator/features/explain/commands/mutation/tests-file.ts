import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tidy } from '../../../../source/tidy.js'
import type { TestText } from './known.js'
import { type Tried, mutantText } from './mutation-lines.js'

export interface TestsFile {
  /** A path where nothing is yet. */
  readonly path: string
  readonly text: string
}

/** Writes a file of tests that kill the surviving mutants; null: there is nothing to write. */
export async function testsFile(
  root: string,
  survivors: readonly Tried[],
): Promise<TestsFile | null> {
  const tests = new Map<string, { readonly test: TestText; readonly closes: Set<string> }>()
  for (const { mutant, known } of survivors) {
    if (!('missingTest' in known) || known.missingTest.kind !== 'request') continue
    const { test } = known.missingTest
    const key = test.lines.join('\n')
    const found = tests.get(key) ?? { test, closes: new Set<string>() }
    found.closes.add(`// ${mutant.file}: ${mutantText(mutant)}`)
    tests.set(key, found)
  }
  if (tests.size === 0) return null
  const path = freePath(root)
  return { path, text: await tidy(path, textOf([...tests.values()])) }
}

/** A file that is there already is its owner's. */
function freePath(root: string): string {
  for (let count = 1; ; count += 1) {
    const path = `tests/policies${count === 1 ? '' : `-${count}`}.test.ts`
    if (!existsSync(join(root, path))) return path
  }
}

const head =
  '// Yours: tests of the policies. Each kills the mutants of `svc policies test` that it names.'

/** Comments of a test that notices more say how many others. */
const mostComments = 4

function textOf(
  tests: readonly { readonly test: TestText; readonly closes: ReadonlySet<string> }[],
): string {
  const uses = new Set(tests.flatMap(({ test }) => test.uses))
  const makers = [...uses].filter((name) => name.startsWith('make')).toSorted()
  const clients = ['sendAsNobody', ...(uses.has('signInAs') ? ['signIn'] : [])].filter(
    (name) => name === 'signIn' || uses.has(name),
  )
  const imports = [
    "import { expect, test } from 'vitest'",
    ...(uses.has('db') ? ["import { db } from '#app/database.js'"] : []),
    `import { ${clients.join(', ')} } from './client.js'`,
    ...(makers.length === 0 ? [] : [`import { ${makers.join(', ')} } from './factories.js'`]),
    ...(uses.has('signInAs') ? ["import { roles } from './roles.js'"] : []),
  ]
  const blocks = tests.map(({ test, closes }) => {
    const more = closes.size - mostComments
    const first = [...closes].slice(0, mostComments)
    const comments = more > 0 ? [...first, `// and ${more} more`] : first
    const title = JSON.stringify(test.name)
    return [...comments, `test(${title}, async () => {`, ...test.lines, '})'].join('\n')
  })
  const parts = [head, imports.join('\n'), ...blocks, ...(uses.has('signInAs') ? [signInAs] : [])]
  return `${parts.join('\n\n')}\n`
}

const signInAs = `async function signInAs(role: string) {
  const user = await roles[role]?.()
  if (!user) throw new Error(\`no role '\${role}' of tests/roles.ts signs in\`)
  return signIn(user)
}`
