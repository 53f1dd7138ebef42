/**
 * Random repositories with relations of all seven kinds, random rows between them, and a loader that knows every row and
 * filters in memory: what tests of loading compare with.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { StorageKind } from '../../../runtime/model/columns.js'
import type { IncludeTree } from '../../../runtime/query/query.js'

export type IdKind = 'integer' | 'uuid'
type Id = number | string

/** `belongsTo` from `from[0]` to `to`; `morph` from any of `from` to `to`; tables between likewise. */
export interface Bond {
  readonly kind: 'key' | 'morph' | 'pivot' | 'morphPivot'
  readonly from: readonly number[]
  readonly to: number
  readonly isOne: boolean
  readonly declared: 'both' | 'first' | 'second'
}

export interface Manifest {
  readonly ids: readonly IdKind[]
  readonly bonds: readonly Bond[]
}

export const manifests: fc.Arbitrary<Manifest> = fc
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
export interface Edge {
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

export interface World {
  readonly rows: readonly Row[][]
  /** By bond. */
  readonly between: ReadonlyMap<number, readonly Between[]>
}

export function edgesOf({ bonds }: Manifest): Edge[] {
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

export const mixed = (ids: readonly IdKind[], of: readonly number[]) =>
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

export const holder = (bond: Bond) => (bond.kind === 'key' ? (bond.from[0] ?? 0) : bond.to)

export function columnsOf(manifest: Manifest, repository: number): Record<string, StorageKind> {
  const own = manifest.bonds.flatMap((bond, at) =>
    holder(bond) === repository ? bondColumns(manifest, bond, at) : [],
  )
  // Kinds made above, with `?`.
  const foreign = own.map(([name, kind]) => [name, `${kind}?`] as [string, StorageKind])
  return { id: manifest.ids[repository] ?? 'integer', name: 'text', ...Object.fromEntries(foreign) }
}

const data = fc.record({
  names: fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 }), {
    minLength: 4,
    maxLength: 4,
  }),
  points: fc.array(fc.nat(), { minLength: 40, maxLength: 120 }),
})

export type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never

/** Random rows, written with `insert`. */
export async function fill(
  manifest: Manifest,
  { names, points }: Data,
  insert: Insert,
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
  await write(manifest, insert, world)
  return world
}

async function write(manifest: Manifest, insert: Insert, { rows, between }: World): Promise<void> {
  const idAt = ([repository, place]: readonly [number, number]) =>
    rows[repository]?.[place]?.id ?? ''
  for (const [at, all] of rows.entries()) {
    const columns = Object.keys(columnsOf(manifest, at))
    for (const row of all) {
      const values = columns.map((name) => {
        if (name === 'id' || name === 'name') return row[name]
        const target = row.targets.get(Number(/\d+/.exec(name)?.[0]))
        if (target === undefined) return null
        if (name.endsWith('_type')) return insert.key(target[0])
        const isText = columnsOf(manifest, at)[name]?.startsWith('text') === true
        return isText ? String(idAt(target)) : idAt(target)
      })
      await insert(at, 'record', columns, values)
    }
  }
  for (const [at, pairs] of between) {
    const bond = manifest.bonds[at]
    const isText = bond?.kind === 'morphPivot' && mixed(manifest.ids, bond.from) === 'text'
    for (const { first, second, weight } of pairs) {
      const own = isText ? String(idAt(first)) : idAt(first)
      const columns = [...(bond?.kind === 'morphPivot' ? ['x_type'] : []), 'x_id', 'y_id', 'weight']
      const values = [
        ...(bond?.kind === 'morphPivot' ? [insert.key(first[0])] : []),
        own,
        idAt(second),
        weight,
      ]
      await insert(at, 'pivot', columns, values)
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

export function naive(
  manifest: Manifest,
  world: World,
  hidden: readonly (readonly string[])[],
  limit: number,
  keyOf: (repository: number) => string,
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
      type: keyOf(repository),
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

export const withoutMeta = (data_: unknown): unknown =>
  JSON.parse(JSON.stringify(data_, (key, value: unknown) => (key === 'meta' ? undefined : value)))

export const size = (tree: IncludeTree): number =>
  tree.reduce((sum, { children }) => sum + 1 + size(children), 0)

/** How a row gets into a table: of the repository `at`, or the pivot table of the bond `at`. */
export interface Insert {
  (
    at: number,
    of: 'record' | 'pivot',
    columns: readonly string[],
    values: readonly Value[],
  ): Promise<void>
  /** URI key of a repository: what morph columns hold. */
  readonly key: (repository: number) => string
}

export type Value = Id | null

/** A manifest, rows for it, and requests: which repository, what is included, how many, and what is hidden. */
export const cases = manifests.chain((manifest) => {
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
