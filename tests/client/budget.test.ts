/** What checking the client of a large manifest costs the compiler. Counted: times differ from machine to machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildBlueprint } from '../../generator/blueprint/blueprint.js'
import { clientSettings } from '../../generator/blueprint/client.js'
import { loadManifest } from '../../generator/load/load-manifest.js'
import { clientFiles } from '../../generator/plan/client/files.js'
import { describeProject } from '../../generator/plan/project.js'
import { checkClient } from './check-client.js'

const size = 100

/** Each of seven fields, with every kind of list, and five relations. */
function repositoryText(n: number): string {
  const other = (distance: number) => `item${((n - 1 + distance) % size) + 1}s`
  return `item${n}s: repository({
    title: 'name', searchable: ['name'], sort: ['id', 'name', 'amount'],
    match: { name: 'text', is_active: 'boolean', amount: 'between', happened_at: 'datetime' },
    fields: {
      name: text().max(160), notes: textarea().nullable(), is_active: boolean().default(true), amount: decimal(10, 2),
      happened_at: dateTime().nullable(), quantity: integer().default(0), kind: select(['a', 'b']).default('a'),
    },
    related: {
      next: belongsTo('${other(1)}', { sortable: ['name'] }).nullable(),
      previous: hasMany('${other(size - 1)}', { inverse: 'next' }),
      far: belongsToMany('${other(30)}', { table: 'far_${n}', pivot: { weight: integer().default(0) } }),
      near: belongsTo('${other(2)}').nullable(),
      rank: computed<number>(),
    },
  })`
}

const manifestText = `import { belongsTo, belongsToMany, boolean, computed, dateTime, decimal, defineManifest, hasMany, integer, repository, select, text, textarea } from 'svckit'
export default defineManifest({ database: 'sqlite', repositories: { ${Array.from({ length: size }, (_, index) => repositoryText(index + 1)).join(', ')} } })
`

test(`the client of ${size} repositories is at most 60,000 type instantiations`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-budget-'))
  writeFileSync(join(folder, 'manifest.ts'), manifestText)
  const loaded = await loadManifest(folder)
  rmSync(folder, { recursive: true })
  const built = 'problems' in loaded ? loaded : buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  const project = describeProject(built.blueprint, { name: 'large', svckit: '10.0.0' })
  const files = await clientFiles(project, clientSettings('client', false, false))
  expect(files).toHaveLength(size + 1)
  const { problems, program } = checkClient(files)
  expect(problems).toBe('')
  expect(program.getInstantiationCount()).toBeLessThanOrEqual(60_000)
})
