import { HttpError, mostNamed } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { sentence } from '../../input/messages.js'
import { type Input, validate } from '../../input/validation.js'
import type { Access, Extension, HasEntity, Row, Write } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Resource } from '../../model/resource.js'
import { countOnly, mustBeObject, noRecord } from '../../operations/write/inputs.js'
import { inList } from '../../operations/write/many/places.js'
import type { NamedRecord } from '../../operations/write/many/plan.js'
import { checkPatch, checkStore, sendAll } from '../../operations/write/pipeline.js'
import { placed, throwProblems, together } from '../../operations/write/places.js'
import type { PlannedRecord, Sending, WritePlan } from '../../operations/write/plan.js'
import { around, refusalOf } from '../../operations/write/steps.js'
import { extended } from '../../policy/access.js'
import { takeMembers } from '../../query/row-members.js'
import { accessToMany, type ManyOptions, planOfMany } from '../bulk/bulk.js'
import { listedTwice } from '../bulk/records.js'
import { type Key, readKey, textOfKey } from './keys.js'
import { attempts, changedMeanwhile, hasKey, requireAny } from './upsert.js'
import { visibleIds } from './visible-ids.js'

export interface UpsertedMany {
  /** In the order of the bodies. */
  readonly resources: readonly Resource[]
  /** Says of each record whether it was created. */
  readonly areNew: readonly boolean[]
}

/** Changes the records that have the keys of the bodies, and makes the others: all or none. */
export async function upsertMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  key: Key,
  options: ManyOptions,
): Promise<UpsertedMany> {
  const asked = await accessToMany(repository, user, options)
  await requireAny(asked)
  const keys = await readKeys(asked, key, bodies)
  return attempts(
    async () => {
      if (isTurnLong()) await nextTurn()
      return visibleIds(asked, key, keys)
    },
    (some, others) => some.every((id, at) => id === others[at]),
    async (ids) => {
      const access = extended(asked, [stillWith(key, keys, ids)])
      const plan = await planOfMany(access, await recordsOf(access, bodies, ids), inList, options)
      requireNone(plan.records.filter(({ id }) => id === null))
      return around(plan.records, () => upsertRecords(plan))
    },
  )
}

/** The keys of the bodies; 422 for those that are wrong, and for those that are there twice. */
async function readKeys(
  access: Access,
  key: Key,
  bodies: readonly Input[],
): Promise<readonly Row[]> {
  const { entity } = access
  const problems = new Map<string, string[]>()
  const seen = new Set<string>()
  const what = key.length === 1 ? key.join() : `combination of ${key.join(' and ')}`
  const keys: Row[] = []
  for (const [at, body] of bodies.entries()) {
    if (isTurnLong()) await nextTurn()
    if (body === noRecord) {
      problems.set(inList(at), [mustBeObject])
      continue
    }
    const { values, problems: wrong } = readKey(access, key, body)
    keys.push(values)
    for (const [name, texts] of wrong) problems.set(inList(at, name), texts)
    if (wrong.size > 0) continue
    const text = textOfKey(entity, key, values)
    if (seen.has(text)) {
      const twice = [sentence(what, listedTwice())]
      for (const name of key) problems.set(inList(at, name), twice)
    }
    seen.add(text)
  }
  if (problems.size > 0) {
    for (const [at, body] of bodies.entries()) {
      if (body === noRecord) continue
      if (isTurnLong()) await nextTurn()
      const textsOf = problems.size < mostNamed ? undefined : countOnly
      for (const [name, texts] of validate(access, body, 'canStore', 'part', textsOf).errors) {
        problems.set(inList(at, name), texts)
      }
    }
  }
  throwProblems(problems)
  return keys
}

/** Others may give a record another key meanwhile. */
function stillWith(key: Key, keys: readonly Row[], ids: readonly (string | null)[]): Extension {
  const byId = new Map(ids.map((id, at) => [id, keys[at]] as const))
  return {
    write: ({ access: { entity } }) => ({
      requires: ({ write: { idText } }) => {
        const values = idText === null ? undefined : byId.get(idText)
        return {
          condition: true,
          refusal: (row) =>
            values === undefined || hasKey(entity, key, row, values) ? null : changedMeanwhile(),
        }
      },
    }),
  }
}

/** Each as what happens to it, or what is wrong with what it says beside its fields. */
async function recordsOf(
  all: Access,
  bodies: readonly Input[],
  ids: readonly (string | null)[],
): Promise<readonly NamedRecord[]> {
  const problems = new Map<string, string[]>()
  const records: NamedRecord[] = []
  for (const [at, sent] of bodies.entries()) {
    if (isTurnLong()) await nextTurn()
    const { access, body, problems: wrong } = takeMembers(all, sent)
    for (const [name, text] of wrong) problems.set(inList(at, name), [text])
    const idText = ids[at] ?? null
    const id = idText === null ? null : readId(all.entity.id, idText)
    const write: Write = { operation: id === null ? 'store' : 'update', idText, body }
    records.push({ at, id, write, parameters: access.parameters })
  }
  throwProblems(problems)
  return records
}

/** 409 where new ones name a record that is there. */
function requireNone(records: readonly PlannedRecord[]): void {
  const refusals = records.flatMap((record) => {
    const refusal = refusalOf(record, null)
    return refusal === null ? [] : [placed(refusal, record.at, inList) as HttpError]
  })
  if (refusals.length > 0) throw together(refusals)
}

/** Both kinds take the phases of the pipeline together. */
async function upsertRecords(plan: WritePlan): Promise<UpsertedMany> {
  const some = (isNew: boolean): WritePlan =>
    Object.assign({}, plan, { records: plan.records.filter(({ id }) => (id === null) === isNew) })
  const [known, made] = [some(false), some(true)]
  const validate = await allValid([
    ...(known.records.length > 0 ? [() => checkPatch(known)] : []),
    ...(made.records.length > 0 ? [() => checkStore(made)] : []),
  ])
  const prepare = await allValid(validate)
  const sendings: Sending[] = []
  for (const prepared of prepare) sendings.push(await prepared())
  const written = await sendAll(plan, sendings)
  const placed = sendings.flatMap(({ records }, index) =>
    records.map(({ at }, place) => ({ at, resource: written[index]?.[place] })),
  )
  const resources = placed
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ resource }) => resource ?? [])
  return { resources, areNew: plan.records.map(({ id }) => id === null) }
}

/** All errors of the bodies are one answer; an authorization error comes first. */
async function allValid<Done>(works: readonly (() => Promise<Done>)[]): Promise<readonly Done[]> {
  const done: Done[] = []
  const errors: HttpError[] = []
  for (const work of works) {
    try {
      done.push(await work())
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      errors.push(error)
    }
  }
  const other = errors.find(({ status }) => status !== 422)
  if (other !== undefined) throw other
  if (errors.length > 0) throw together(errors)
  return done
}
