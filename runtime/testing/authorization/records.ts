import type { Row } from '../tested.js'
import { anyPointer, newBody, partBody, pointedNames, wholeBody, type Body } from './bodies.js'
import type { Decision } from './decided.js'
import { countedIn, foundIn, listedIn } from './lists.js'
import { outcome, outcomeOfAction, type Outcome, type Trial } from './outcome.js'
import { definitionOf } from './project.js'
import { rowNamed, type Scene, type Stage } from './scene.js'

/** The rows of a repository, each at the route that was decided for them. */
export async function ofRecords(
  stage: Stage,
  [method, path, does]: Decision,
  of: string,
): Promise<readonly Trial[]> {
  if (does === 'store' || does === 'storeMany') return storing(stage, of, path, does)
  if (does === 'runNone' || does === 'getNone') return onNone(stage, method, path)
  const scene = await stage.scene()
  const rows = await scene.rows(of)
  const listed = await listedBy(scene, does, path)
  const trials: Trial[] = []
  for (const name of Object.keys(rows)) {
    const ask = async () => {
      const now = await stage.scene()
      const row = rowNamed(await now.rows(of), name)
      const at = path.replace(':id', String(row.id))
      return onRecord(now, { method, does, key: of, row, path: at })
    }
    const row = rowNamed(rows, name)
    trials.push({ row: [name], outcome: listed === null ? await ask() : listed(row) })
  }
  return trials
}

/** Says of a row whether all that one request answers has it; null: rows are asked for one by one. */
async function listedBy(scene: Scene, does: Decision[2], path: string) {
  if (does === 'index') return listedIn(scene, path)
  if (does === 'search') return foundIn(scene, path)
  return does === 'aggregate' ? countedIn(scene, path) : null
}

interface Attempt {
  /** The method, where several routes do it. */
  readonly method?: string
  readonly does: Decision[2]
  readonly key: string
  readonly row: Row
  readonly path: string
  /** Columns that go on pointing where they do. */
  readonly kept?: readonly string[]
}

/** One of the operations on a record. */
export async function onRecord(
  scene: Scene,
  { method = 'POST', does, key, row, path, kept = [] }: Attempt,
): Promise<Outcome> {
  const write = async (method: string, { values, pointers }: Body) =>
    outcome(await scene.send(method, path, values), pointers)
  await scene.project.prepared?.(scene.project, does, key, row.id)
  switch (does) {
    case 'update': {
      const names = await pointedNames(scene, key, kept)
      return anyPointer(names, async (called) =>
        write('PUT', await wholeBody(scene, key, row, called, kept)),
      )
    }
    case 'patch':
      return write('PATCH', await partBody(scene, key))
    case 'updateMany': {
      const { values, pointers } = await partBody(scene, key)
      const body = scene.project.many?.patch(definitionOf(scene.project, key), row, values)
      return outcome(await scene.send(method, path, body), pointers)
    }
    case 'deleteMany': {
      const body = scene.project.many?.delete(definitionOf(scene.project, key), row)
      return outcome(await scene.send(method, path, body))
    }
    case 'runMany': {
      const body = scene.project.actions?.many(definitionOf(scene.project, key), row)
      return outcomeOfAction(await scene.send(method, path, body))
    }
    case 'runOne':
      return outcomeOfAction(await scene.send(method, path, scene.project.actions?.others))
    case 'getOne':
      return outcomeOfAction(await scene.send('GET', path))
    case 'restore':
      return outcome(await scene.send('POST', path))
    case 'delete':
    case 'forceDelete':
      return outcome(await scene.send('DELETE', path))
    default:
      return outcome(await scene.send('GET', path))
  }
}

/** What is about no record. */
async function onNone(stage: Stage, method: string, path: string): Promise<readonly Trial[]> {
  const { send, project } = await stage.scene()
  const body = method === 'GET' ? undefined : project.actions?.others
  return [{ row: [], outcome: await outcomeOfAction(await send(method, path, body)) }]
}

/** New records, each naming rows of one name where its required fields name any. */
async function storing(
  stage: Stage,
  key: string,
  path: string,
  does: 'store' | 'storeMany',
): Promise<readonly Trial[]> {
  const names = await pointedNames(await stage.scene(), key, [])
  const trials: Trial[] = []
  for (const name of names.length === 0 ? [undefined] : names) {
    const scene = await stage.scene()
    const { values, pointers } = await newBody(scene, key, name)
    const many = does === 'store' ? undefined : scene.project.many
    const entity = definitionOf(scene.project, key)
    const body = many === undefined ? values : many.store(entity, values)
    const wrong = [...pointers, ...(many?.never(entity) ?? [])]
    const made = await outcome(await scene.send('POST', path, body), wrong)
    trials.push({ row: name === undefined ? [] : [name], outcome: made })
  }
  return trials
}
