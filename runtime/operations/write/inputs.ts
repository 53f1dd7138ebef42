import { countedText, mostNamed } from '../../errors.js'
import { isTurnLongFor, nextTurn } from '../../event-loop.js'
import { sentence, worded } from '../../input/messages.js'
import { filledErrors, type Input, validate } from '../../input/validation.js'
import { canonical, type Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Row, Write, WriteGates } from '../../model/entity.js'
import { accessTo, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, read, sql, table } from '../../sql/sql.js'
import { notThere } from '../refused-by-database.js'
import { alone, placing, throwProblems } from './places.js'
import type { PlannedRecord, Target, WritePlan } from './plan.js'
import { checked, keysTaken } from './steps.js'
import { hookErrors } from './validate-hook.js'

/** Stands for what is no object in a list: reported with all that is wrong with the others. */
export const noRecord: Input = Object.freeze({})

/** Says what is wrong with it. */
export const mustBeObject = 'Each record must be an object.'

export interface Inputs {
  /** The values that each body may write, in the order of the records. */
  readonly inputs: readonly Row[]
  /** Problems after the first hundred are counted, and have no text. */
  readonly problems: readonly InputProblem[]
}

type Bodies = Pick<WritePlan, 'access' | 'records' | 'placeOf' | 'strict'>

/** `field` is null where it is about all of the record. */
export type InputProblem = readonly [
  record: PlannedRecord,
  field: string | null,
  texts: readonly string[],
]

/** Throws 422 with all that is wrong with any body. */
export function throwInputProblems(
  { placeOf }: Pick<WritePlan, 'placeOf'>,
  problems: Inputs['problems'],
): void {
  throwProblems(
    new Map(problems.map(([{ at }, name, texts]) => [placeOf(at, name ?? undefined), [...texts]])),
  )
}

/** The gates of the policy that a write asks. */
export const gatesOf = (operation: Write['operation']): WriteGates =>
  operation === 'store' ? 'canStore' : 'canUpdate'

/**
 * Reads what the bodies may write. Below a parent, the columns that make a record its own are the
 * parent's, whatever the body says.
 * @param target The records as they are; absent: they are new.
 */
export async function readInputs(
  { access, records, placeOf, strict }: Bodies,
  extent: 'whole' | 'part',
  target?: Target,
): Promise<Inputs> {
  const isAlone = placeOf === alone
  const problems: InputProblem[] = []
  const inputs: Row[] = []
  const secrets = isAlone ? [] : secretsOf(access)
  const known = new Set<string>()
  for (const record of records) {
    if (isTurnLongFor(records)) await nextTurn()
    const { write } = record
    const { body } = write
    if (body === noRecord) {
      problems.push([record, null, [mustBeObject]])
      inputs.push({})
      continue
    }
    const gates = gatesOf(write.operation)
    const areNamed = problems.length < mostNamed
    const textsOf = areNamed ? undefined : countOnly
    const { values, errors } = validate(record.access, ofParent(record), gates, extent, textsOf)
    inputs.push(values)
    // A key that one body may have is not checked again in another: most bodies are alike.
    const isStrange = !Object.keys(body).every((name) => known.has(name))
    const named = isStrange ? filledErrors(record.access, body, gates) : none
    const strange = isStrange && areNamed ? strict?.ofWrite(record, keysTaken) : none
    const others = isStrange && !areNamed ? (strict?.count(record, keysTaken) ?? 0) : 0
    if ((strange?.size ?? 0) + named.size + others === 0) {
      for (const name of Object.keys(body)) known.add(name)
    }
    const found = [errors, named, strange ?? none, secretErrors(record, secrets)]
    const more = await checked(record)
    const all = new Map([...found.flatMap((each) => [...each]), ...more])
    if (areNamed) for (const [name, texts] of all) problems.push([record, name, texts])
    else if (all.size + others > 0) problems.push([record, null, countedTexts(all, others)])
  }
  const dangling = await danglingKeys({ access, records, placeOf, strict }, inputs)
  // A client that read a record may send its foreign keys back, even where the user cannot see the
  // target.
  const stored = dangling.length === 0 ? undefined : await target?.rows()
  for (const [index, column, texts] of dangling) {
    const record = records[index]
    if (record === undefined || isUnchanged(record, column, inputs[index], stored)) continue
    problems.push([record, column, texts])
  }
  return { inputs, problems }
}

/** The body, with the columns that the parent of the record gives. */
function ofParent({ access, write }: PlannedRecord): Input {
  const columns = access.parent?.columns
  if (columns === undefined || columns === null) return write.body
  return Object.assign(Object.create(null) as Input, write.body, columns)
}

/** Asks the hook `validate` of each, or 422 with all that it finds. */
export async function validateAll(...asked: Parameters<typeof problemsOfHook>): Promise<void> {
  throwProblems(await problemsOfHook(...asked))
}

export type Problems = ReadonlyMap<string, string[]>

/**
 * Lists what the hook `validate` finds wrong with any of them.
 * @param rows The records as they are; null: they are new.
 */
export async function problemsOfHook(
  { access, records, placeOf }: WritePlan,
  inputs: readonly Row[],
  rows: ReadonlyMap<unknown, Row> | null,
): Promise<Problems> {
  if (access.entity.hooks?.validate === undefined) return none
  const problems = new Map<string, string[]>()
  for (const [index, { access: own, at, id }] of records.entries()) {
    if (isTurnLongFor(records)) await nextTurn()
    const before = rows === null ? null : (rows.get(id) ?? {})
    const errors = await placing(at, placeOf, () => hookErrors(own, inputs[index] ?? {}, before))
    for (const [name, texts] of errors) problems.set(placeOf(at, name), [...texts])
  }
  return problems
}

/** For values that are wrong in a record whose errors are counted, and not named. */
export const countOnly = () => [countedText]

/** As many texts as there are errors. */
const countedTexts = (errors: Problems, others: number): readonly string[] =>
  [...errors.values()]
    .flat()
    .map(() => countedText)
    .concat(Array.from({ length: others }, () => countedText))

const none: ReadonlyMap<string, string[]> = new Map()

const secretsOf = ({ entity }: Access) =>
  [...entity.columns.values()].filter(({ storage }) => storage.isSecret)

/** A hash is meant to take long: nobody has a thousand of them made. */
function secretErrors({ write: { body } }: PlannedRecord, secrets: readonly Column[]): Problems {
  if (secrets.length === 0) return none
  const text = worded('cannot be set for many records at once', 'notInLists')
  const named = secrets.filter(({ field }) => Object.hasOwn(body, field))
  return new Map(named.map(({ field }) => [field, [sentence(field, text)]]))
}

type DanglingKey = readonly [index: number, column: string, texts: string[]]

/** Foreign keys whose value is the id of no record that the user may see. */
async function danglingKeys(
  { access, records, placeOf }: Bodies,
  inputs: readonly Row[],
): Promise<readonly DanglingKey[]> {
  const [record] = records
  if (placeOf !== alone || record === undefined) return danglingKeysOfMany(access, inputs)
  const errors = await access.entity.relations?.foreignErrors(record.access, inputs[0] ?? {})
  return [...(errors ?? [])].map(([column, texts]) => [0, column, texts])
}

/** Sends one statement for each column. */
async function danglingKeysOfMany(
  { entity, request }: Access,
  inputs: readonly Row[],
): Promise<readonly DanglingKey[]> {
  const found: DanglingKey[] = []
  for (const [column, target] of entity.relations?.targets ?? []) {
    const keys = new Set(inputs.map((values) => values[column] ?? null))
    keys.delete(null)
    if (target === null || keys.size === 0) continue
    const { entity: other, ...rest } = accessTo(request, target().definition)
    const visible = await visibleRows({ entity: other, ...rest })
    const filter = where(answersTest(other, [{ id: { in: [...keys] } }, visible]), {
      entity: other,
    })
    const id = sql`cast(${identifier('t0', other.id.name)} as text)`
    const query = sql`select ${id} from ${table(other.table, 't0')}${filter}`
    const there = new Set((await read(other.database, query)).map(([key]) => key))
    for (const [index, values] of inputs.entries()) {
      const key = values[column] ?? null
      if (key === null || there.has(String(key))) continue
      found.push([index, column, [sentence(column, worded(notThere, 'exists'), entity.key)]])
    }
  }
  return found
}

function isUnchanged(
  { access: { entity, shown }, id }: PlannedRecord,
  column: string,
  values: Row | undefined,
  stored: ReadonlyMap<unknown, Row> | undefined,
): boolean {
  const row = stored?.get(id)
  if (row === undefined || !shown.includes(column)) return false
  return canonical(columnNamed(entity, column), values?.[column]) === row[column]
}
