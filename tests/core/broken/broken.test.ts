import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { formatProblems } from '../../../generator/blueprint/problems.js'
import type { Problem } from '../../../generator/blueprint/types.js'
import { readGraphql } from '../../../generator/features/graphql/read/config.js'
import { readBlueprint } from '../../support/with-features.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const broken = `${root}/fixtures/broken`
const cases = readdirSync(broken).toSorted()

async function problemsOf(dir: string): Promise<readonly Problem[]> {
  const built = await readBlueprint(dir)
  if ('problems' in built) return built.problems
  const graphql = await readGraphql(dir, built.blueprint)
  return 'problems' in graphql ? graphql.problems : []
}

describe('a broken manifest says what is wrong, where, what is known and how to fix it', () => {
  test.each(cases)('%s', async (name) => {
    const said = `${formatProblems(await problemsOf(`${broken}/${name}`))}\n`
    const golden = `${broken}/${name}/problems.txt`
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden, said)
    expect(said).toBe(readFileSync(golden, 'utf8'))
  })

  test.each(cases)('%s breaks the rule it is called after', async (name) => {
    const rules = (await problemsOf(`${broken}/${name}`)).map(({ rule }) => rule ?? '')
    expect(rules.some((rule) => name === rule || name.startsWith(`${rule}-`))).toBe(true)
  })
})

/** Rules are named where they are checked. */
function namedRules(folder: string): readonly string[] {
  const paths = readdirSync(`${root}/generator/${folder}`, { recursive: true, encoding: 'utf8' })
  return paths.flatMap((path) => {
    if (!path.endsWith('.ts')) return []
    const text = readFileSync(`${root}/generator/${folder}/${path}`, 'utf8')
    return [...text.matchAll(/\brule: '([a-z-]+)'/g)].map(([, rule = '']) => rule)
  })
}

test('every rule has a broken manifest', () => {
  const rules = new Set(['load', 'blueprint'].flatMap(namedRules))
  expect([...rules].filter((rule) => !cases.includes(rule))).toEqual([])
})

test.each(['blog', 'minimal', 'every-kind', 'awkward-names'])('%s has no problem', async (name) => {
  expect(await problemsOf(`${root}/fixtures/${name}`)).toEqual([])
})
