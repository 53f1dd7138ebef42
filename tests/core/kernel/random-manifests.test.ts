import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import type { Database } from '../../../runtime/database/types.js'
/**
 * Random repositories with relations of all seven kinds (keys of both kinds mixed, self-relations, several relations
 * between the same two, sides left undeclared), random rows, policies and includes: what is loaded is what a loader finds
 * that knows every row and filters in memory.
 */
import type { RelationEntry } from '../../../runtime/features/relations/entries.js'
import * as relation from '../../../runtime/features/relations/relations.js'
import { type AnyRepository, defineRepository } from '../../../runtime/operations/repository.js'
import type { AnyModel } from '../../../runtime/policy/policy-types.js'
import { freshDatabase } from '../../support/postgres.js'
import { runsOn } from '../../support/runs.js'
import { defaultSettings, yes } from './blog.js'
import { counted, dialects, execute } from './databases.js'
import { printInclude } from './print-include.js'
import {
  cases,
  columnsOf,
  type Edge,
  edgesOf,
  fill,
  type Insert,
  type Manifest,
  mixed,
  naive,
  size,
  type Value,
  withoutMeta,
} from './random-world.js'

/** Names of one run: a database may keep what it prepared for tables that are gone. */
let run = 0
const table = (at: number) => `n${run}_r${at}`
const pivotTable = (at: number) => `n${run}_p${at}`
function repositoriesOf(
  manifest: Manifest,
  database: Database,
  isHidden: () => readonly (readonly string[])[],
): AnyRepository[] {
  const repositories: AnyRepository[] = []
  manifest.ids.forEach((_, at) => {
    const edges = edgesOf(manifest).filter(({ of }) => of === at)
    const relations = Object.fromEntries(
      edges.map((edge) => [edge.key, relationOf(manifest, edge, repositories)]),
    )
    interface Model extends AnyModel {
      row: Record<string, unknown>
      relations: {}
      computed: {}
    }
    repositories[at] = defineRepository<Model>({
      database,
      settings: defaultSettings,
      key: table(at),
      name: table(at),
      table: table(at),
      policy: {
        // The model's columns are not known before the run.
        show: () => ({ name: { notIn: isHidden()[at] ?? [] } }) as never,
        store: yes,
        update: yes,
        delete: yes,
      },
      columns: columnsOf(manifest, at),
      attributes: ['name'],
      rules: {},
      relations: relation.related(relations),
    })
  })
  return repositories
}

function relationOf(
  { ids, bonds }: Manifest,
  { bond: at, to, one, side }: Edge,
  repositories: readonly AnyRepository[],
): RelationEntry {
  const bond = bonds[at]
  const target = () => {
    const repository = repositories[to]
    if (repository === undefined) throw new Error(`there is no ${to}`)
    return repository
  }
  if (bond?.kind === 'key') {
    const foreignKey = `k${at}`
    if (side === 'first') return relation.belongsTo(target, { foreignKey })
    return one ? relation.hasOne(target, { foreignKey }) : relation.hasMany(target, { foreignKey })
  }
  if (bond?.kind === 'morph') {
    const columns = { foreignKey: `m${at}_id`, morphType: `m${at}_type` }
    return one ? relation.morphOne(target, columns) : relation.morphMany(target, columns)
  }
  const columns = { weight: 'integer' } as const
  const [own, other] = side === 'first' ? ['x', 'y'] : ['y', 'x']
  const pivot = {
    table: pivotTable(at),
    foreignKey: `${own}_id`,
    relatedKey: `${other}_id`,
    columns,
  }
  if (bond?.kind !== 'morphPivot') return relation.belongsToMany(target, { pivot })
  const isText = mixed(ids, bond.from) === 'text'
  const morph = {
    ...pivot,
    morphType: 'x_type',
    ...(isText ? { foreignKind: 'text' as const } : {}),
  }
  return relation.morphToMany(target, { pivot: morph })
}

async function createTables(manifest: Manifest, database: Database): Promise<string[]> {
  const isServer = database.dialect === 'postgresql'
  const type = (kind: string) => (kind === 'uuid' && !isServer ? 'text' : kind)
  const made: string[] = []
  const create = async (name: string, columns: readonly string[]) => {
    await execute(database, `create table ${name} (${columns.join(', ')})`)
    made.push(name)
  }
  for (const [at, id] of manifest.ids.entries()) {
    const columns = Object.entries(columnsOf(manifest, at)).slice(2)
    const foreign = columns.map(([name, kind]) => `${name} ${type(kind.slice(0, -1))}`)
    await create(table(at), [`id ${type(id)} primary key`, 'name text not null', ...foreign])
  }
  for (const [at, { kind, from, to }] of manifest.bonds.entries()) {
    if (kind !== 'pivot' && kind !== 'morphPivot') continue
    const x = type(mixed(manifest.ids, kind === 'pivot' ? from.slice(0, 1) : from))
    const y = type(manifest.ids[to] ?? 'integer')
    const morph = kind === 'morphPivot' ? ['x_type text'] : []
    const key = kind === 'morphPivot' ? 'x_type, x_id, y_id' : 'x_id, y_id'
    await create(pivotTable(at), [
      ...morph,
      `x_id ${x}`,
      `y_id ${y}`,
      'weight integer',
      `primary key (${key})`,
    ])
  }
  return made
}

function insertInto(database: Database): Insert {
  const insert = async (
    at: number,
    of: 'record' | 'pivot',
    columns: readonly string[],
    values: readonly Value[],
  ) => {
    const into = of === 'pivot' ? pivotTable(at) : table(at)
    const places = columns.map(() => '?').join()
    await execute(database, `insert into ${into} (${columns.join()}) values (${places})`, values)
  }
  return Object.assign(insert, { key: table })
}

describe.each(dialects)('random manifests on %s', (dialect) => {
  let database: Database

  beforeAll(async () => {
    database =
      dialect === 'sqlite'
        ? openSqlite(':memory:')
        : openPostgres(await freshDatabase(), { max: 4 })
  })
  afterAll(() => database.close())

  test('load what a naive loader finds, one statement per relation', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ manifest, data: given, requests }) => {
        run += 1
        const tables = await createTables(manifest, database)
        try {
          const world = await fill(manifest, given, insertInto(database))
          let hidden: readonly (readonly string[])[] = []
          const repositories = repositoriesOf(manifest, database, () => hidden)
          for (const { repository, tree, limit, hidden: now } of requests) {
            hidden = now
            const query = { include: tree, relatablePerPage: limit, perPage: 100 }
            const { result, statements } = await counted(database, async () =>
              repositories[repository]?.index({ id: 1 }, query),
            )
            expect([printInclude(tree), withoutMeta(result?.data ?? [])]).toEqual([
              printInclude(tree),
              naive(manifest, world, hidden, limit, table)(repository, tree),
            ])
            expect(statements.length).toBeLessThanOrEqual(2 + size(tree))
          }
        } finally {
          for (const name of tables) await execute(database, `drop table ${name}`)
        }
      }),
      { numRuns: runsOn(dialect, 60) },
    )
  })
})
