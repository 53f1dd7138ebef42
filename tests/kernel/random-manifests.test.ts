/**
 * Random repositories with relations of all seven kinds (keys of both kinds mixed, self-relations, several relations
 * between the same two, sides left undeclared), random rows, policies and includes: what is loaded is what a loader finds
 * that knows every row and filters in memory.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../runtime/database/postgres.js'
import { openSqlite } from '../../runtime/database/sqlite.js'
import type { Database } from '../../runtime/database/types.js'
import type { StorageKind } from '../../runtime/kernel/columns.js'
import type { IncludeTree } from '../../runtime/kernel/include.js'
import type { AnyModel } from '../../runtime/kernel/model.js'
import * as relation from '../../runtime/kernel/relations.js'
import { type AnyRepository, defineRepository } from '../../runtime/kernel/repository.js'
import type { Resource } from '../../runtime/kernel/resource.js'
import { freshDatabase } from '../support/postgres.js'
import { printInclude } from './print-include.js'
import { defaultSettings, yes } from './blog.js'
import { counted, dialects, execute } from './databases.js'

type IdKind = 'integer' | 'uuid'
type Id = number | string

/** `belongsTo` from `from[0]` to `to`; `morph` from any of `from` to `to`; tables between likewise. */
interface Bond {
  readonly kind: 'key' | 'morph' | 'pivot' | 'morphPivot'
  readonly from: readonly number[]
  readonly to: number
  readonly isOne: boolean
  readonly declared: 'both' | 'first' | 'second'
}

interface Manifest {
  readonly ids: readonly IdKind[]
  readonly bonds: readonly Bond[]
}

const manifests: fc.Arbitrary<Manifest> = fc
  .array(fc.constantFrom<IdKind>('integer', 'uuid'), { minLength: 2, maxLength: 4 })
  .chain((ids) => {
    const repository = fc.nat(ids.length - 1)
    const bond: fc.Arbitrary<Bond> = fc.record({
      kind: fc.constantFrom('key', 'morph', 'pivot', 'morphPivot'),
      from: fc.uniqueArray(repository, { minLength: 1, maxLength: ids.length }),
      to: repository,
      isOne: fc.boolean(),
      declared: fc.constantFrom('both', 'both', 'first', 'second'),
    })
    return fc.record({
      ids: fc.constant(ids),
      bonds: fc.array(bond, { minLength: 2, maxLength: 8 }),
    })
  })

/** A relation as the naive loader knows it. */
interface Edge {
  readonly key: string
  readonly of: number
  readonly to: number
  readonly one: boolean
  readonly bond: number
  readonly side: 'first' | 'second'
}

/** Rows: which bond points where. `targets[bond]` is [repository, place] of what a row points at. */
interface Row {
  readonly id: Id
  readonly name: string
  readonly targets: Map<number, readonly [number, number]>
}

interface Between {
  readonly first: readonly [number, number]
  readonly second: readonly [number, number]
  readonly weight: number
}

interface World {
  readonly rows: readonly Row[][]
  /** By bond. */
  readonly between: ReadonlyMap<number, readonly Between[]>
}

function edgesOf({ bonds }: Manifest): Edge[] {
  return bonds.flatMap((bond, at) => {
    const firsts = bond.kind === 'key' || bond.kind === 'pivot' ? bond.from.slice(0, 1) : bond.from
    const oneFirst = bond.kind === 'key' || (bond.kind === 'morph' && bond.isOne)
    const first = firsts.map((of): Edge => {
      return { key: `a${at}`, of, to: bond.to, one: oneFirst, bond: at, side: 'first' }
    })
    const [from = 0] = firsts
    const one = bond.kind === 'key' && bond.isOne
    const second: Edge = { key: `z${at}`, of: bond.to, to: from, one, bond: at, side: 'second' }
    const hasSecond = bond.kind === 'key' || bond.kind === 'pivot'
    return [
      ...(bond.declared === 'second' && hasSecond ? [] : first),
      ...(hasSecond && bond.declared !== 'first' ? [second] : []),
    ]
  })
}

/** Names of one run: a database may keep what it prepared for tables that are gone. */
let run = 0
const table = (at: number) => `n${run}_r${at}`
const pivotTable = (at: number) => `n${run}_p${at}`
const mixed = (ids: readonly IdKind[], of: readonly number[]) =>
  new Set(of.map((at) => ids[at])).size > 1 ? 'text' : (ids[of[0] ?? 0] ?? 'integer')

/** The columns a bond adds: of the table `on`. */
function bondColumns({ ids }: Manifest, bond: Bond, at: number): [string, string][] {
  if (bond.kind === 'key') return [[`k${at}`, ids[bond.to] ?? 'integer']]
  if (bond.kind === 'morph') {
    return [
      [`m${at}_type`, 'text'],
      [`m${at}_id`, mixed(ids, bond.from)],
    ]
  }
  return []
}

const holder = (bond: Bond) => (bond.kind === 'key' ? (bond.from[0] ?? 0) : bond.to)

function columnsOf(manifest: Manifest, repository: number): Record<string, StorageKind> {
  const own = manifest.bonds.flatMap((bond, at) =>
    holder(bond) === repository ? bondColumns(manifest, bond, at) : [],
  )
  // Kinds made above, with `?`.
  const foreign = own.map(([name, kind]) => [name, `${kind}?`] as [string, StorageKind])
  return { id: manifest.ids[repository] ?? 'integer', name: 'text', ...Object.fromEntries(foreign) }
}

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
      relations,
    })
  })
  return repositories
}

function relationOf(
  { ids, bonds }: Manifest,
  { bond: at, to, one, side }: Edge,
  repositories: readonly AnyRepository[],
): relation.RelationEntry {
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

const data = fc.record({
  names: fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 }), {
    minLength: 4,
    maxLength: 4,
  }),
  points: fc.array(fc.nat(), { minLength: 40, maxLength: 120 }),
})

type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never

async function fill(
  manifest: Manifest,
  database: Database,
  { names, points }: Data,
): Promise<World> {
  let point = 0
  const next = (below: number) => (points[point++ % points.length] ?? 0) % Math.max(below, 1)
  const rows = manifest.ids.map((kind, at) =>
    (names[at] ?? []).map((name, place): Row => {
      return { id: kind === 'uuid' ? randomUUID() : place + 1, name, targets: new Map() }
    }),
  )
  const between = new Map<number, Between[]>()
  manifest.bonds.forEach((bond, at) => {
    const firsts = bond.kind === 'key' || bond.kind === 'pivot' ? bond.from.slice(0, 1) : bond.from
    if (bond.kind === 'key' || bond.kind === 'morph') {
      const targets = bond.kind === 'key' ? [bond.to] : bond.from
      for (const row of rows[holder(bond)] ?? []) {
        const target = targets[next(targets.length)] ?? 0
        const count = rows[target]?.length ?? 0
        if (count > 0 && next(4) > 0) row.targets.set(at, [target, next(count)])
      }
      return
    }
    const list = new Map<string, Between>()
    for (let n = next(10); n > 0; n--) {
      const from = firsts[next(firsts.length)] ?? 0
      const [own, other] = [rows[from]?.length ?? 0, rows[bond.to]?.length ?? 0]
      if (own === 0 || other === 0) continue
      const pair: Between = {
        first: [from, next(own)],
        second: [bond.to, next(other)],
        weight: next(9),
      }
      list.set(JSON.stringify([pair.first, pair.second]), pair)
    }
    between.set(at, [...list.values()])
  })
  const world = { rows, between }
  await write(manifest, database, world)
  return world
}

async function write(
  manifest: Manifest,
  database: Database,
  { rows, between }: World,
): Promise<void> {
  const idAt = ([repository, place]: readonly [number, number]) =>
    rows[repository]?.[place]?.id ?? ''
  for (const [at, all] of rows.entries()) {
    const columns = Object.keys(columnsOf(manifest, at))
    for (const row of all) {
      const values = columns.map((name) => {
        if (name === 'id' || name === 'name') return row[name]
        const target = row.targets.get(Number(/\d+/.exec(name)?.[0]))
        if (target === undefined) return null
        if (name.endsWith('_type')) return table(target[0])
        const isText = columnsOf(manifest, at)[name]?.startsWith('text') === true
        return isText ? String(idAt(target)) : idAt(target)
      })
      await execute(
        database,
        `insert into ${table(at)} (${columns.join()}) values (${columns.map(() => '?').join()})`,
        values,
      )
    }
  }
  for (const [at, pairs] of between) {
    const bond = manifest.bonds[at]
    const isText = bond?.kind === 'morphPivot' && mixed(manifest.ids, bond.from) === 'text'
    for (const { first, second, weight } of pairs) {
      const own = isText ? String(idAt(first)) : idAt(first)
      const values = [
        ...(bond?.kind === 'morphPivot' ? [table(first[0])] : []),
        own,
        idAt(second),
        weight,
      ]
      await execute(
        database,
        `insert into ${pivotTable(at)} values (${values.map(() => '?').join()})`,
        values,
      )
    }
  }
}

const newestFirst = ({ row: { id: one } }: Found, { row: { id: two } }: Found) =>
  one < two ? 1 : -1

interface Found {
  readonly row: Row
  readonly place: number
  readonly pivots?: { readonly weight: number }
}

/** Every row on the other side of an edge, in memory. */
function relatedTo({ bonds }: Manifest, world: World, edge: Edge, place: number): Found[] {
  const bond = bonds[edge.bond]
  const candidates = (world.rows[edge.to] ?? []).map((row, at) => ({ row, place: at }))
  if (bond?.kind === 'key' && edge.side === 'first') {
    const target = world.rows[edge.of]?.[place]?.targets.get(edge.bond)
    return candidates.filter((found) => target !== undefined && found.place === target[1])
  }
  if (bond?.kind === 'key' || bond?.kind === 'morph') {
    return candidates.filter(({ row }) => {
      const target = row.targets.get(edge.bond)
      return target?.[0] === edge.of && target[1] === place
    })
  }
  const pairs = world.between.get(edge.bond) ?? []
  return pairs.flatMap(({ first, second, weight }) => {
    const [own, other] = edge.side === 'first' ? [first, second] : [second, first]
    const row = world.rows[edge.to]?.[other[1]]
    const isOwn = own[0] === edge.of && own[1] === place && row !== undefined
    return isOwn ? [{ row, place: other[1], pivots: { weight } }] : []
  })
}

function naive(
  manifest: Manifest,
  world: World,
  hidden: readonly (readonly string[])[],
  limit: number,
) {
  const edges = edgesOf(manifest)
  const isVisible = (repository: number, { row }: Found) =>
    hidden[repository]?.includes(row.name) !== true
  const shown = (repository: number, { row, place, pivots }: Found, tree: IncludeTree): unknown => {
    const relationships = Object.fromEntries(
      tree.map(({ key, children }) => {
        const edge = edges.find((each) => each.of === repository && each.key === key)
        if (edge === undefined) return [key, null]
        const found = relatedTo(manifest, world, edge, place)
          .filter((each) => isVisible(edge.to, each))
          .toSorted(newestFirst)
          .slice(0, edge.one ? 1 : limit)
          .map((each) => shown(edge.to, each, children))
        return [key, edge.one ? (found[0] ?? null) : found]
      }),
    )
    return {
      id: String(row.id),
      type: table(repository),
      attributes: { name: row.name },
      ...(tree.length > 0 ? { relationships } : {}),
      ...(pivots === undefined ? {} : { pivots }),
    }
  }
  return (repository: number, tree: IncludeTree) =>
    (world.rows[repository] ?? [])
      .map((row, place) => ({ row, place }))
      .filter((found) => isVisible(repository, found))
      .toSorted(newestFirst)
      .map((found) => shown(repository, found, tree))
}

function trees(
  edges: readonly Edge[],
  repository: number,
  depth: number,
): fc.Arbitrary<IncludeTree> {
  const here = edges.filter(({ of }) => of === repository)
  if (depth === 0 || here.length === 0) return fc.constant([])
  return fc
    .subarray(here)
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ key, to }) =>
          trees(edges, to, depth - 1).map((children) => ({ key, columns: null, children })),
        ),
      ),
    )
}

const withoutMeta = (data_: readonly Resource[]): unknown =>
  JSON.parse(JSON.stringify(data_, (key, value: unknown) => (key === 'meta' ? undefined : value)))

const size = (tree: IncludeTree): number =>
  tree.reduce((sum, { children }) => sum + 1 + size(children), 0)

describe.each(dialects)('random manifests on %s', (dialect) => {
  let database: Database

  beforeAll(async () => {
    database =
      dialect === 'sqlite'
        ? openSqlite(':memory:')
        : openPostgres(await freshDatabase(), { max: 4 })
  })
  afterAll(() => database.close())

  const cases = manifests.chain((manifest) => {
    const request = fc.nat(manifest.ids.length - 1).chain((repository) =>
      fc.record({
        repository: fc.constant(repository),
        tree: trees(edgesOf(manifest), repository, 3),
        limit: fc.integer({ min: 1, max: 4 }),
        hidden: fc.array(fc.subarray(['a', 'b']), { minLength: 4, maxLength: 4 }),
      }),
    )
    const requests = fc.array(request, { minLength: 1, maxLength: 5 })
    return fc.record({ manifest: fc.constant(manifest), data, requests })
  })

  test(
    'load what a naive loader finds, one statement per relation',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async ({ manifest, data: given, requests }) => {
          run += 1
          const tables = await createTables(manifest, database)
          try {
            const world = await fill(manifest, database, given)
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
                naive(manifest, world, hidden, limit)(repository, tree),
              ])
              expect(statements.length).toBeLessThanOrEqual(2 + size(tree))
            }
          } finally {
            for (const name of tables) await execute(database, `drop table ${name}`)
          }
        }),
        { numRuns: 60 },
      )
    },
  )
})
