import { getOwn } from '../../model/get-own.js'
import type { Row, Values } from '../tested.js'
import { isPointer, type Outcome } from './outcome.js'
import { definitionOf, tested, type Project } from './project.js'
import type { Scene } from './scene.js'
import { stored } from './stored.js'

/** A body, and which of its fields name other records. */
export interface Body {
  readonly values: Values
  readonly pointers: readonly string[]
}

/** Required fields that a body of this repository names. */
function named(project: Project, key: string): readonly string[] {
  const { hooks } = definitionOf(project, key)
  const filled = new Set(Object.keys({ ...hooks?.fill, ...hooks?.fillOnStore }))
  return tested(project, key).required.filter((name) => !filled.has(name))
}

/** Columns that point at records, and at which. */
const pointersOf = ({ decided }: Project, key: string) =>
  new Map(
    decided.references.flatMap(([of, column, target]) =>
      of === key ? [[column, target] as const] : [],
    ),
  )

const namesOfPointers = (project: Project, key: string) => [...pointersOf(project, key).keys()]

/** Names of the rows that the required fields of a new record may name; none: they name none. */
export async function pointedNames(
  { project, rows }: Scene,
  key: string,
  without: readonly string[],
): Promise<readonly string[]> {
  const targets = named(project, key).flatMap((name) =>
    without.includes(name) ? [] : (pointersOf(project, key).get(name) ?? []),
  )
  const all = await Promise.all(targets.map((target) => rows(target)))
  return [...new Set(all.flatMap((each) => Object.keys(each)))]
}

/** Makes the body of a new record that names the rows with these names, where there are some. */
export async function newBody(
  scene: Scene,
  key: string,
  called: string | undefined,
  without: readonly string[] = [],
): Promise<Body> {
  const { project } = scene
  const names = named(project, key).filter((name) => !without.includes(name))
  const values = pick(await validValues(project, key), names)
  const pointed = await pointing(scene, key, names, called)
  const given = await getOwn(project.bodies, key)?.store?.(scene)
  return { values: { ...values, ...pointed, ...given }, pointers: namesOfPointers(project, key) }
}

/** Returns the values of a row that was deleted again: no other record has them. */
async function validValues(project: Project, key: string): Promise<Values> {
  const { make, table, id: primary } = definitionOf(project, key)
  const { id } = await make({})
  const row = await stored(project, key, { id: id as Row['id'] }) // what factories answer
  await project.db.deleteFrom(table).where(primary.name, '=', id).execute()
  return row
}

/** The whole record as responses show it; `called`: pointing at the rows of this name. */
export async function wholeBody(
  scene: Scene,
  key: string,
  row: Row,
  called?: string,
  kept: readonly string[] = [],
): Promise<Body> {
  const { project } = scene
  const { attributes } = tested(project, key)
  const names = named(project, key).filter((name) => attributes.includes(name))
  const now = pick(await stored(project, key, row), names)
  const others = names.filter((name) => !kept.includes(name))
  const pointed = called === undefined ? {} : await pointing(scene, key, others, called)
  const given = await getOwn(project.bodies, key)?.update?.(scene)
  return { values: { ...now, ...pointed, ...given }, pointers: namesOfPointers(project, key) }
}

/** Nothing, which is a change too: the policy says whether this record may be changed. */
export async function partBody(scene: Scene, key: string): Promise<Body> {
  const { project } = scene
  const given = await getOwn(project.bodies, key)?.update?.(scene)
  return { values: { ...given }, pointers: namesOfPointers(project, key) }
}

/** As it is, and where a policy hides what it points at, pointing at one row after another. */
export async function anyPointer(
  names: readonly string[],
  ask: (called?: string) => Promise<Outcome>,
): Promise<Outcome> {
  let last = await ask()
  for (const name of names) {
    if (!isPointer(last)) break
    last = await ask(name)
  }
  return last
}

async function pointing(
  { project, rows }: Scene,
  key: string,
  names: readonly string[],
  called = '',
): Promise<Values> {
  const pointers = [...pointersOf(project, key)].filter(([name]) => names.includes(name))
  const ids = pointers.map(async ([name, target]) => {
    const all = await rows(target)
    const row = getOwn(all, called) ?? Object.values(all)[0]
    return [name, String(row?.id)] as const
  })
  return Object.fromEntries(await Promise.all(ids))
}

const pick = (row: Values, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))
