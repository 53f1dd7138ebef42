import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateInto } from '../../support/generate.js'
import {
  type DatabaseName,
  databases,
  linkModules,
  openFolder,
  type Project,
} from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { printInclude } from '../kernel/print-include.js'
import {
  cases,
  type Edge,
  edgesOf,
  fill,
  type Insert,
  type Manifest,
  naive,
  size,
  type Value,
  withoutMeta,
} from '../kernel/random-world.js'

const keys = ['alphas', 'betas', 'gammas', 'deltas']
const names = ['Alpha', 'Beta', 'Gamma', 'Delta']
const keyOf = (repository: number) => keys[repository] ?? ''

/** A manifest as a developer writes it: `a<n>` and `z<n>` are the two sides of its bond `n`. */
function manifestText(manifest: Manifest, database: DatabaseName): string {
  const repositories = manifest.ids.map((id, at) => {
    const edges = edgesOf(manifest).filter(({ of }) => of === at)
    const own = edgesOf(manifest).filter(({ bond, to }) => {
      return to === at && manifest.bonds[bond]?.kind === 'morph'
    })
    const related = [
      ...edges.map((edge) => `${edge.key}: ${relationText(manifest, edge)},`),
      ...new Set(own.map(({ bond }) => `m${bond}: morphTo(),`)),
    ]
    return `${keyOf(at)}: repository({ id: '${id}', public: true, fields: { name: text() },
      related: { ${related.join(' ')} } }),`
  })
  return `import { belongsTo, belongsToMany, defineManifest, hasMany, integer, morphMany, morphOne, morphTo, morphToMany,
    repository, text } from 'svckit'
  export default defineManifest({ database: '${database}', openapi: false, reads: [], repositories: { ${repositories.join('\n')} } })`
}

function relationText({ bonds }: Manifest, { bond: at, to, one, side }: Edge): string {
  const bond = bonds[at]
  const target = `'${keyOf(to)}'`
  const pivot = `table: 'p${at}', pivot: { weight: integer().nullable() }`
  if (bond?.kind === 'key') {
    const key = `{ foreignKey: 'k${at}' }`
    return side === 'first'
      ? `belongsTo(${target}, ${key}).nullable()`
      : `hasMany(${target}, ${key})`
  }
  if (bond?.kind === 'morph') return `morph${one ? 'One' : 'Many'}(${target}, { name: 'm${at}' })`
  if (bond?.kind === 'morphPivot') {
    return `morphToMany(${target}, { name: 'x${at}', relatedKey: 'y_id', ${pivot} })`
  }
  const [own, other] = side === 'first' ? ['x', 'y'] : ['y', 'x']
  return `belongsToMany(${target}, { foreignKey: '${own}_id', relatedKey: '${other}_id', ${pivot} })`
}

/** Which names each policy hides, read at every request. */
const hidden: { now: readonly (readonly string[])[] } = { now: [] }
Object.assign(globalThis, { hiddenNames: hidden })

async function open(manifest: Manifest, database: DatabaseName): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-random-'))
  await mkdir(join(folder, 'manifest'))
  await writeFile(join(folder, 'manifest/index.ts'), manifestText(manifest, database))
  await linkModules(folder)
  await generateInto(folder)
  for (const at of manifest.ids.keys()) {
    const path = join(folder, `app/Policies/${names[at]}Policy.ts`)
    const show = `show: () => ({ name: { notIn: globalThis.hiddenNames.now[${at}] ?? [] } }),`
    await writeFile(path, (await readFile(path, 'utf8')).replace(/show: .*/, show))
  }
  return openFolder(folder, database)
}

/** Keys are written when every record is there: the schema has foreign keys. */
function insertInto(project: Project, { bonds }: Manifest) {
  const later: (() => Promise<unknown>)[] = []
  const insert = async (
    at: number,
    of: 'record' | 'pivot',
    columns: readonly string[],
    values: readonly Value[],
  ) => {
    const isMorph = of === 'pivot' && bonds[at]?.kind === 'morphPivot'
    const named = columns.map((name) => (isMorph ? name.replace(/^x_/, `x${at}_`) : name))
    const row = Object.fromEntries(named.map((name, place) => [name, values[place] ?? null]))
    if (of === 'pivot') return void later.push(() => project.link(`p${at}`, row))
    const { id, name, ...pointers } = row
    await project.insert(keyOf(at), { id, name })
    const set = Object.entries(pointers).filter(([, value]) => value !== null)
    for (const [column, value] of set) {
      later.push(() => update(project, keyOf(at), column, [value ?? null, id ?? null]))
    }
  }
  const finish = async () => {
    for (const write of later) await write()
  }
  return { insert: Object.assign(insert, { key: keyOf }) satisfies Insert, finish }
}

function update(project: Project, table: string, column: string, values: readonly Value[]) {
  const [one, two] = project.name === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const sql = `update "${table}" set "${column}" = ${one} where id = ${two}`
  return project.database.query({ sql, access: 'write' }, [...values])
}

/**
 * Leaves out keys and timestamps: columns of the emitted tables that the naive loader does not
 * know.
 */
const comparable = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(withoutMeta(data), (key, value: { name?: unknown }) =>
      key === 'attributes' ? { name: value.name } : value,
    ),
  )

// A hasOne would make its key unique, and rows are random.
const many = (manifest: Manifest): Manifest => ({
  ...manifest,
  bonds: manifest.bonds.map((bond) => (bond.kind === 'key' ? { ...bond, isOne: false } : bond)),
})

describe.each(databases)('random manifests, generated, on %s', (database) => {
  test('answer what a naive loader finds, one statement per relation', async () => {
    process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
    await fc.assert(
      fc.asyncProperty(cases, async ({ manifest: drawn, data, requests }) => {
        const manifest = many(drawn)
        const project = await open(manifest, database)
        try {
          const { insert, finish } = insertInto(project, manifest)
          const world = await fill(manifest, data, insert)
          await finish()
          // A request for more relations is 400, as statements.test.ts has it.
          const answered = requests.filter(({ tree }) => size(tree) <= 100)
          for (const { repository, tree, limit, hidden: names } of answered) {
            hidden.now = names
            const include = encodeURIComponent(printInclude(tree))
            const path = `/api/svc/${keyOf(repository)}?perPage=100&relatablePerPage=${limit}&include=${include}`
            const answer = await project.get(path)
            expect([path, answer.status, comparable(answer.body.data)]).toEqual([
              path,
              200,
              naive(manifest, world, names, limit, keyOf)(repository, tree),
            ])
            expect(answer.statements.length).toBeLessThanOrEqual(2 + size(tree))
          }
        } finally {
          await project.close()
        }
      }),
      { numRuns: runsOn(database, 8), endOnFailure: true },
    )
  })
})
