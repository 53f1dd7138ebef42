import { conflict, HttpError, invalid } from '../../errors.js'
import { type Input, validate } from '../../input/validation.js'
import type { Access, Entity, Extension, HasEntity, Row, WriteOptions } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { deniedOutright } from '../../operations/denied.js'
import { readRow } from '../../operations/read.js'
import { only, planOfOne, updateResource, writeOne } from '../../operations/write/one.js'
import { checkStore } from '../../operations/write/pipeline.js'
import { refusalOf } from '../../operations/write/steps.js'
import { accessTo, ask, mayStore, newRequest, visibleRows } from '../../policy/access.js'
import { answersTest, answerTest } from '../../policy/condition-sql.js'
import { forWrite } from '../../query/request-parts.js'
import { takeMembers } from '../../query/row-members.js'
import { conditionOf, type Key, keyOf, maySeeKey, readKey, textOfKey } from './keys.js'

export interface UpsertOptions extends WriteOptions {
  /** A key that the repository declares: `sku`, or `company_id,code`. */
  readonly by: string
  /** Keys of a record besides its fields, such as its version, are among them. */
  readonly hasMembers?: boolean
}

export interface Upserted {
  readonly resource: Resource
  /** It was made, and not changed. */
  readonly isNew: boolean
}

/**
 * Changes the record that has the key of the body, as PATCH does, or makes it, as POST does: each
 * with its policy, validation and hooks. A record that the user does not see is no record to change,
 * so its key is taken.
 *
 * @example await upsertRecord(ProductRepository, user, { sku: 'a-1', price: '9.90' }, { by: 'sku' })
 */
export async function upsertRecord(
  { definition }: HasEntity,
  user: unknown,
  input: Input,
  { by, hasMembers = false, ...options }: UpsertOptions,
): Promise<Upserted> {
  const asked = forWrite(accessTo(newRequest(user), definition), 'upsert', options, 'update')
  const key = keyOf(definition, by)
  const { access, body, problems } = hasMembers
    ? takeMembers(asked, input)
    : { access: asked, body: input, problems: new Map<string, string>() }
  await requireAny(access)
  const { values, problems: wrong } = readKey(access, key, body)
  if (wrong.size + problems.size > 0) {
    const { errors } = validate(access, body, 'canStore', 'part')
    const members = [...problems].map(([name, text]): [string, string[]] => [name, [text]])
    throw invalid(new Map([...errors, ...wrong, ...members]))
  }
  const keyed: Keyed = { key, values, condition: conditionOf(definition, key, values) }
  return attempts(
    () => visibleId(access, keyed),
    (one, other) => one === other,
    (id) => (id === null ? store(access, body) : change(access, keyed, id, body)),
  )
}

/** The key of one record. */
interface Keyed {
  readonly key: Key
  readonly values: Row
  readonly condition: unknown
}

/** Makes one where there is none to change, unless the request wants to change one as it is. */
async function store(access: Access, body: Input): Promise<Upserted> {
  const plan = planOfOne(access, { operation: 'store', idText: null, body })
  const refusal = refusalOf(only(plan.records), null)
  if (refusal !== null) throw refusal
  return { resource: await writeOne(plan, checkStore), isNew: true }
}

async function change(access: Access, keyed: Keyed, id: string, body: Input): Promise<Upserted> {
  const only = Object.assign({}, access, { extensions: [...access.extensions, stillWith(keyed)] })
  return { resource: await updateResource(only, id, body, 'part'), isNew: false }
}

/** Others may give the record another key meanwhile, and another record this one. */
const stillWith = ({ key, values, condition }: Keyed): Extension => ({
  write: ({ access: { entity } }) => ({
    requires: () => ({
      condition,
      refusal: (row) => (hasKey(entity, key, row, values) ? null : changedMeanwhile()),
    }),
  }),
})

/** Returns true for a row with this key; without a row there is none to compare. */
export const hasKey = (entity: Entity, key: Key, row: Row | null, values: Row): boolean =>
  row === null || textOfKey(entity, key, row) === textOfKey(entity, key, values)

export const changedMeanwhile = () => conflict('The record was changed meanwhile.')

/** The record to change; null: there is none that this user sees. */
async function visibleId(access: Access, { key, condition }: Keyed): Promise<string | null> {
  const { entity } = access
  if (!maySeeKey(access, key)) return null
  const filter = answersTest(entity, [condition, await visibleRows(access)])
  const row = await readRow(entity, filter)
  return row === null ? null : String(row['id'])
}

/** 401 or 403 where the policy lets this user neither make nor change a record. */
export async function requireAny(access: Access): Promise<void> {
  if (await mayStore(access)) return
  const update = answerTest(access.entity, await ask(access, 'update'))
  if (update === false || update === null) throw deniedOutright(access, 'store')
}

const mostTries = 3

/**
 * Looks what is there, and writes. Who writes at the same time may make the record, change its key
 * or delete it: then what was refused is asked anew of what is there now.
 */
export async function attempts<Found, Done>(
  look: () => Promise<Found>,
  isSame: (one: Found, other: Found) => boolean,
  write: (found: Found) => Promise<Done>,
): Promise<Done> {
  let found = await look()
  for (let tries = 1; ; tries++) {
    try {
      return await write(found)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      const now = await look()
      if (isSame(now, found)) throw error
      if (tries === mostTries) throw changedMeanwhile()
      found = now
    }
  }
}
