import { countedText, mostNamed } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { sentence, worded } from '../../input/messages.js'
import { countStrangers, strictBodies } from '../../input/strict-bodies.js'
import { filledErrors, validate } from '../../input/validation.js'
import { canonical, type Column } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Row } from '../../model/entity.js'
import { checked } from '../../operations/extend-write.js'
import { notThere } from '../../operations/refused-by-database.js'
import { hookErrors } from '../../operations/validate-hook.js'
import { gatesOf } from '../../operations/write-values.js'
import { accessTo, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, read, sql, table } from '../../sql/sql.js'
import { placing, throwProblems } from './places.js'
import { type AskedRow, type Many, mustBeObject, noRecord } from './rows.js'

/**
 * What the bodies may write, by their places, or 422 with all that is wrong with any of them.
 * @param stored The rows as they are, of records that are there.
 */
export async function readInputs(
  many: Many,
  stored?: ReadonlyMap<unknown, Row>,
): Promise<readonly Row[]> {
  const { inputs, problems } = await inputsOf(many, stored)
  throwProblems(
    new Map(
      problems.map(([{ at }, name, texts]) => [many.placeOf(at, name ?? undefined), [...texts]]),
    ),
  )
  return inputs
}

export interface Inputs {
  readonly inputs: readonly Row[]
  /** Those after the first hundred are counted, and have no text. */
  readonly problems: readonly InputProblem[]
}

/** `field` is null where it is about all of the row. */
export type InputProblem = readonly [row: AskedRow, field: string | null, texts: readonly string[]]

/** The same, with all that is wrong. */
export async function inputsOf(
  { access, rows }: Pick<Many, 'access' | 'rows'>,
  stored?: ReadonlyMap<unknown, Row>,
): Promise<Inputs> {
  const problems: InputProblem[] = []
  const inputs: Row[] = []
  const secrets = [...access.entity.columns.values()].filter(({ storage }) => storage.isSecret)
  const known = new Set<string>()
  for (const row of rows) {
    if (isTurnLong()) await nextTurn()
    const { asked } = row
    const { body } = asked
    if (body === noRecord) {
      problems.push([row, null, [mustBeObject]])
      inputs.push({})
      continue
    }
    const gates = gatesOf(asked.operation)
    const extent = asked.operation === 'store' ? 'whole' : 'part'
    const areNamed = problems.length < mostNamed
    const textsOf = areNamed ? undefined : countOnly
    const { values, errors } = validate(row.access, body, gates, extent, textsOf)
    inputs.push(values)
    // What one body may hold another may: most are alike, and looking is dear.
    const isStrange = !Object.keys(body).every((name) => known.has(name))
    const named = isStrange ? filledErrors(row.access, body, gates) : none
    const strange = isStrange && areNamed ? strictBodies.ofWrite(row.access, asked) : none
    const others = isStrange && !areNamed ? countStrangers(row.access, asked) : 0
    if (strange.size + named.size + others === 0) {
      for (const name of Object.keys(body)) known.add(name)
    }
    const found = [errors, named, strange, secrets.length > 0 ? secretErrors(row, secrets) : none]
    const more = await checked(row.access, asked)
    const all = new Map([...found.flatMap((each) => [...each]), ...more])
    if (areNamed) for (const [name, texts] of all) problems.push([row, name, texts])
    else if (all.size + others > 0) problems.push([row, null, countedTexts(all, others)])
  }
  for (const [column, wrong] of await danglingKeys(access, inputs)) {
    for (const index of wrong) {
      const row = rows[index]
      if (row === undefined || isUnchanged(row, column, inputs[index], stored)) continue
      const text = sentence(column, worded(notThere, 'exists'), access.entity.key)
      problems.push([row, column, [text]])
    }
  }
  return { inputs, problems }
}

/** Asks the hook `validate` of each, or 422 with all that it finds. */
export async function validateAll(...asked: Parameters<typeof problemsOfHook>): Promise<void> {
  throwProblems(await problemsOfHook(...asked))
}

export type Problems = ReadonlyMap<string, string[]>

/** What the hook `validate` finds wrong with any of them. */
export async function problemsOfHook(
  { access, rows, placeOf }: Many,
  inputs: readonly Row[],
  stored?: ReadonlyMap<unknown, Row>,
): Promise<Problems> {
  const problems = new Map<string, string[]>()
  if (access.entity.hooks?.validate === undefined) return problems
  for (const [index, { access: own, at, id }] of rows.entries()) {
    if (isTurnLong()) await nextTurn()
    const before = stored === undefined ? null : (stored.get(id) ?? {})
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

/** A hash is meant to take long: nobody has a thousand of them made. */
const secretErrors = ({ asked: { body } }: AskedRow, secrets: readonly Column[]) =>
  new Map(
    secrets
      .filter(({ field }) => Object.hasOwn(body, field))
      .map(({ field }) => [
        field,
        [sentence(field, worded('cannot be set for many records at once', 'notInLists'))],
      ]),
  )

/** By foreign column, where its value is the id of no record that the user may see: one statement for each. */
async function danglingKeys(
  { entity, request }: Access,
  inputs: readonly Row[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>()
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
    const wrong = inputs.flatMap((values, at) => {
      const key = values[column] ?? null
      return key === null || there.has(String(key)) ? [] : [at]
    })
    if (wrong.length > 0) found.set(column, wrong)
  }
  return found
}

/** Who read a record may send back what it points at, whether they see that or not. */
function isUnchanged(
  { access: { entity, shown }, id }: AskedRow,
  column: string,
  values: Row | undefined,
  stored: ReadonlyMap<unknown, Row> | undefined,
): boolean {
  const row = stored?.get(id)
  if (row === undefined || !shown.includes(column)) return false
  return canonical(columnNamed(entity, column), values?.[column]) === row[column]
}
