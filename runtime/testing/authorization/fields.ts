import { getOwn } from '../../model/get-own.js'
import type { Resource } from '../../model/resource.js'
import type { Edges, Row } from '../tested.js'
import { anyPointer, newBody, partBody, pointedNames } from './bodies.js'
import type { Decided, Decision } from './decided.js'
import type { Line } from './line.js'
import { allowed, outcome, type Outcome, type Trial } from './outcome.js'
import { tested, type Project } from './project.js'
import { rowNamed, type Scene, type Stage } from './scene.js'
import { stored } from './stored.js'

/** Values to write into a field, to see whether they are written. */
type Tried = (scene: Scene) => Promise<readonly unknown[]>

type Ask = (scene: Scene, of: string, name: string, tried: Tried, row: Row) => Promise<Outcome>

const ignored: Outcome = { is: 'denied', as: 'ignored' }

/** A line for each field that a policy has a gate for, by what the gate is about. */
export function fieldLines(
  { decided, repositories }: Project,
  isServed: (decision: Decision) => boolean,
): readonly Line[] {
  const shows = decided.routes.filter(
    ([, , does, , relation]) => does === 'show' && relation === undefined,
  )
  return shows.filter(isServed).flatMap(([, , , of]) => {
    const found = repositories.find(({ key }) => key === of)
    return of === undefined || found === undefined ? [] : linesOf(decided, of, found)
  })
}

function linesOf(
  { references }: Decided,
  of: string,
  { repository, fields }: Edges,
): readonly Line[] {
  const { policy, hooks } = repository.definition
  const { canSee, canStore, canUpdate } = policy
  const path = `/api/svc/${of}`
  const target = (name: string) =>
    references.find(([from, column]) => from === of && column === name)?.[2]
  const line = (label: string, name: string, ask: Ask): Line => {
    const attempt = onRows(of, name, triedIn(getOwn(fields, name), target(name)), ask)
    return { of, label: `${label} with ${name}`, attempt }
  }
  // A field that a hook fills, or a secret, has no other value to try.
  const filled = Object.keys({ ...hooks?.fill, ...hooks?.fillOnStore })
  const isTried = (name: string) =>
    (Object.hasOwn(fields, name) || target(name) !== undefined) && !filled.includes(name)
  const names = (gates: object | undefined) => Object.keys(gates ?? {})
  const stores = names(canStore).filter(isTried)
  const updates = names(canUpdate).filter(isTried)
  return [
    ...names(canSee).map((name) => line(`GET ${path}/:id`, name, seeing)),
    ...stores.map((name) => line(`POST ${path}`, name, storing)),
    ...updates.map((name) => line(`PATCH ${path}/:id`, name, changing)),
  ]
}

/** A reference is tried with the records there are. */
function triedIn(values: readonly unknown[] | undefined, target: string | undefined): Tried {
  return async (scene) => {
    if (values !== undefined || target === undefined) return values ?? []
    return Object.values(await scene.rows(target)).map(({ id }) => id)
  }
}

function onRows(of: string, name: string, values: Tried, ask: Ask): Line['attempt'] {
  return async (stage: Stage) => {
    const trials: Trial[] = []
    for (const row of Object.keys(await (await stage.scene()).rows(of))) {
      const scene = await stage.scene()
      const tried = await ask(scene, of, name, values, rowNamed(await scene.rows(of), row))
      // A new record has no row yet.
      trials.push({ row: ask === storing ? [] : [row], outcome: tried })
      if (ask === storing) break
    }
    return trials
  }
}

const seeing: Ask = async ({ project, send }, of, name, _values, row) => {
  const { id } = row
  const isRelated = !tested(project, of).attributes.includes(name)
  const query = isRelated ? `?include=${name}` : ''
  const response = await send('GET', `/api/svc/${of}/${id}${query}`)
  // Strict queries deny what others ignore.
  if (response.status === 400) return ignored
  if (!response.ok) return outcome(response)
  const { data } = (await response.json()) as { data: Resource } // the answer of every show
  const shown = isRelated ? data.relationships : data.attributes
  if (!Object.hasOwn(shown ?? {}, name)) return ignored
  // A gate that depends on the record shows null in place of the value.
  if (isRelated || data.attributes[name] !== null) return allowed
  const held = await stored(project, of, row)
  return (held[name] ?? null) === null ? allowed : ignored
}

/** Fields that the policy lets nobody write are left out of the body. */
const changing: Ask = async (scene, of, name, tried, row) => {
  const { values: rest, pointers } = await partBody(scene, of)
  const before = await stored(scene.project, of, row)
  for (const value of await tried(scene)) {
    const body = { ...rest, [name]: value }
    const response = await scene.send('PATCH', `/api/svc/${of}/${row.id}`, body)
    if (!response.ok) return outcome(response, pointers)
    if (differ((await stored(scene.project, of, row))[name], before[name])) return allowed
  }
  return ignored
}

const storing: Ask = async (scene, of, name, tried) =>
  anyPointer(await pointedNames(scene, of, []), async (called) =>
    storingBeside(scene, of, name, await tried(scene), called),
  )

async function storingBeside(
  scene: Scene,
  of: string,
  name: string,
  values: readonly unknown[],
  called?: string,
): Promise<Outcome> {
  const made: unknown[] = []
  for (const value of values) {
    const { values: rest, pointers } = await newBody(scene, of, called)
    const response = await scene.send('POST', `/api/svc/${of}`, { ...rest, [name]: value })
    if (!response.ok) return outcome(response, pointers)
    const { data } = (await response.json()) as { data: Row } // a resource
    const { [name]: now } = await stored(scene.project, of, data)
    if (made.some((other) => differ(other, now))) return allowed
    made.push(now)
  }
  return ignored
}

const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
