import { countedText, HttpError, invalid, mostNamed } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { absent, sentence, worded } from '../../input/messages.js'
import type { Input } from '../../input/validation.js'
import type {
  Access,
  Extension,
  HasEntity,
  PlaceOf,
  Write,
  WriteOptions,
} from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { readId } from '../../model/ids.js'
import { deniedOutright } from '../../operations/denied.js'
import { accessesOf } from '../../operations/extend-write.js'
import { accessTo, ask, extended, newRequest } from '../../policy/access.js'
import { takeMembers } from '../../query/row-members.js'
import { inList, throwProblems } from './places.js'

export interface ManyOptions extends WriteOptions {
  /** Records of one request. */
  readonly most: number
  /** Whether answers are of ids alone: then nothing else is read. */
  readonly isMinimal?: boolean
  /** What the write of one record does besides. */
  readonly ofRow?: (at: number) => readonly Extension[] | undefined
}

/** One of the records that a request writes. */
export interface AskedRow {
  /** Its place in the request. */
  readonly at: number
  /** Null: it is new, or no record can have the id that is named. */
  readonly id: number | string | null
  readonly asked: Write
  /** What is done with it; mostly that of all. */
  readonly access: Access
}

/** What a request does with many records of one repository. */
export interface Many {
  readonly access: Access
  readonly rows: readonly AskedRow[]
  readonly placeOf: PlaceOf
  readonly isMinimal: boolean
}

declare module '../../model/policy-and-hooks.js' {
  interface Questions {
    readonly bulk: true
  }
}

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

/** 413 for more than are taken at once, 422 for none. */
export function checkLength(list: readonly unknown[], most: number, name: string): void {
  if (list.length > most) {
    throw new HttpError(413, `One request takes at most ${most} records; these are ${list.length}.`)
  }
  if (list.length === 0) throw invalid({ [name]: ['Name at least one record.'] })
}

/** Stands for what is no object in a list: reported with all that is wrong with the others. */
export const noRecord: Input = Object.freeze({})

/** What is said of it. */
export const mustBeObject = 'Each record must be an object.'

/** A list of objects, or of `noRecord` where one is none. */
export function listOf(body: unknown, most: number): readonly Input[] {
  if (!Array.isArray(body)) throw invalid({ body: ['The body must be a list of records.'] })
  checkLength(body, most, 'body')
  return body.map((row: unknown) => (isRecord(row) ? row : noRecord))
}

const notKnown = () => worded('is not known', 'notKnown')

export const listedTwice = () => worded('is in the list already', 'listedTwice')

/** The ids of `{ "ids": [] }` or of a list alone, each as a record; 422 for anything else. */
export function idsOf(body: unknown, most: number): readonly Input[] {
  const list = isRecord(body) ? body['ids'] : body
  if (!Array.isArray(list)) throw invalid({ ids: ['The ids field must be a list.'] })
  const other = isRecord(body) ? Object.keys(body).find((key) => key !== 'ids') : undefined
  if (other !== undefined) throw invalid({ [other]: [sentence(other, notKnown())] })
  checkLength(list, most, 'ids')
  return list.map((each: unknown) => (isRecord(each) ? each : { id: each }))
}

/** New records. */
export async function newRows(
  access: Access,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly AskedRow[]> {
  const writes = bodies.map((body): Write => ({ operation: 'store', idText: null, body }))
  const accesses = accessesOf(access, writes, inList)
  const rows: AskedRow[] = []
  for (const [at, asked] of writes.entries()) {
    if (isTurnLong()) await nextTurn()
    const own = extended(accesses[at] ?? access, options.ofRow?.(at))
    rows.push({ at, id: null, asked, access: own })
  }
  return rows
}

/**
 * Records that are there, by the `id` that each names; 422 for those that name none, or one that is
 * in the list already.
 */
export async function knownRows(
  access: Access,
  operation: 'update' | 'delete',
  bodies: readonly Input[],
  placeOf: PlaceOf,
  options: ManyOptions,
): Promise<readonly AskedRow[]> {
  const { entity } = access
  const problems = new Map<string, string[]>()
  const seen = new Set<unknown>()
  const known: KnownRow[] = []
  for (const [at, given] of bodies.entries()) {
    if (isTurnLong()) await nextTurn()
    if (given === noRecord) {
      problems.set(placeOf(at), [mustBeObject])
      continue
    }
    const place = placeOf(at, 'id')
    const { id: said, ...fields } = given
    if (typeof said !== 'string' && typeof said !== 'number') {
      const text =
        said === undefined ? absent(said) : worded('must be the id of a record', 'recordId')
      problems.set(place, [sentence('id', text)])
      continue
    }
    const idText = String(said)
    const id = readId(entity.id, idText)
    const key = id ?? `? ${idText}`
    if (seen.has(key)) problems.set(place, [sentence('id', listedTwice())])
    seen.add(key)
    const { access: own, body, problems: found } = takeMembers(access, fields)
    for (const [name, text] of found) problems.set(placeOf(at, name), [text])
    if (operation === 'delete') {
      for (const name of Object.keys(body)) {
        const isNamed = problems.size < mostNamed
        problems.set(placeOf(at, name), [isNamed ? sentence(name, notKnown()) : countedText])
      }
    }
    const { parameters } = own
    known.push({ at, id, asked: { operation, idText, body }, parameters })
  }
  throwProblems(problems)
  return withAccesses(access, known, placeOf, options)
}

/** A record of a request, and what it says beside its fields. */
export interface KnownRow extends Omit<AskedRow, 'access'> {
  readonly parameters: Access['parameters']
}

/** Adds what each is asked, of records that one request writes together. */
export async function withAccesses(
  access: Access,
  rows: readonly KnownRow[],
  placeOf: PlaceOf,
  options: ManyOptions,
): Promise<readonly AskedRow[]> {
  const writes = rows.map(({ asked }) => asked)
  const placeOfRow: PlaceOf = (index, field) => placeOf(rows[index]?.at ?? index, field)
  const accesses = accessesOf(access, writes, placeOfRow)
  const asked: AskedRow[] = []
  for (const [index, { parameters, ...row }] of rows.entries()) {
    if (isTurnLong()) await nextTurn()
    const own = accesses[index] ?? access
    const said = own.parameters === parameters ? own : Object.assign({}, own, { parameters })
    asked.push(Object.assign({}, row, { access: extended(said, options.ofRow?.(row.at)) }))
  }
  return asked
}
