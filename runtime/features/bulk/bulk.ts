import { strictBodies } from '../../input/strict-bodies.js'
import type { Input } from '../../input/validation.js'
import type {
  Access,
  Extension,
  HasEntity,
  PlaceOf,
  Row,
  WriteOptions,
} from '../../model/entity.js'
import type { AnyHooks } from '../../model/policy-and-hooks.js'
import type { Resource } from '../../model/resource.js'
import { afterwards, contextOf } from '../../operations/afterwards.js'
import { deniedOutright } from '../../operations/denied.js'
import { inList } from '../../operations/write/many/places.js'
import { type NamedRecord, withAccesses } from '../../operations/write/many/plan.js'
import { statementsOfMany } from '../../operations/write/many/statements.js'
import {
  type Check,
  checkDelete,
  checkPatch,
  checkStore,
  writeRecords,
} from '../../operations/write/pipeline.js'
import type { SavedOperation, WritePlan } from '../../operations/write/plan.js'
import { around, withSteps } from '../../operations/write/steps.js'
import { accessTo, ask, extended, newRequest } from '../../policy/access.js'
import { namedRecords } from './records.js'

export interface ManyOptions extends WriteOptions {
  /** Records of one request. */
  readonly most: number
  /** True if answers are of ids alone: then nothing else is read. */
  readonly isMinimal?: boolean
  /** Extensions for the write of one record. */
  readonly ofRow?: (at: number) => readonly Extension[] | undefined
}

declare module '../../model/policy-and-hooks.js' {
  interface Questions {
    readonly bulk: true
  }
}

/** Hooks of many records, as the kernel calls them. */
interface BulkHooks extends AnyHooks {
  readonly afterBulk?: (context: object, rows: readonly Row[], operation: string) => unknown
}

/** Names places in `{ "ids": [] }`: an id has no fields, and an error is about all of it. */
const inIds: PlaceOf = (at) => `ids.${at}`

/** Makes records, all or none: in the order of their bodies. */
export async function storeMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly Resource[]> {
  const access = await accessToMany(repository, user, options)
  const { parameters } = access
  const records = bodies.map((body, at): NamedRecord => {
    return { at, id: null, write: { operation: 'store', idText: null, body }, parameters }
  })
  return writeMany(await planOfMany(access, records, inList, options), checkStore)
}

/** Changes records, all or none: what each body has, of the record that its `id` names. */
export async function updateMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly Resource[]> {
  const access = await accessToMany(repository, user, options)
  const records = await namedRecords(access, 'update', bodies, inList)
  return writeMany(await planOfMany(access, records, inList, options), checkPatch)
}

/** Deletes records, all or none. */
export async function deleteMany(
  repository: HasEntity,
  user: unknown,
  ids: readonly Input[],
  options: ManyOptions,
): Promise<void> {
  const access = await accessToMany(repository, user, options)
  const records = await namedRecords(access, 'delete', ids, inIds)
  const minimal = Object.assign({}, options, { isMinimal: true })
  await writeMany(await planOfMany(access, records, inIds, minimal), checkDelete)
}

const writeMany = (plan: WritePlan, check: Check): Promise<readonly Resource[]> =>
  around(plan.records, () => writeRecords(plan, check))

/** One request about a repository; 401 or 403 where the policy takes none of many. */
export async function accessToMany(
  { definition }: HasEntity,
  user: unknown,
  { extensions = [], exchange = null }: ManyOptions,
): Promise<Access> {
  const request = Object.assign(newRequest(user), { isMany: true })
  const access = extended(accessTo(request, definition), extensions)
  const isOpen = definition.policy.bulk === undefined || (await ask(access, 'bulk')) === true
  if (!isOpen) throw deniedOutright(access, 'bulk')
  return exchange === null ? access : Object.assign({}, access, { exchange })
}

/** The write of many records of one request. */
export async function planOfMany(
  access: Access,
  named: readonly NamedRecord[],
  placeOf: PlaceOf,
  { ofRow, isMinimal = false }: ManyOptions,
): Promise<WritePlan> {
  const records = await withAccesses(access, named)
  const how = { placeOf, isAlong: false, isMinimal, strict: strictBodies }
  const plan = { access, records, statements: statementsOfMany, ...how }
  return withSteps(Object.assign(plan, afterBulk(access)), ofRow)
}

/** The hook of all records, where there is one. */
function afterBulk(access: Access): Pick<WritePlan, 'afterAll'> {
  const { entity } = access
  const hooks: BulkHooks = entity.hooks ?? {}
  const hook = hooks.afterBulk?.bind(hooks)
  if (hook === undefined) return {}
  return {
    afterAll: (rows: readonly Row[], operation: SavedOperation) =>
      afterwards(entity, 'afterBulk', () => hook(contextOf(access), rows, operation)),
  }
}
