import { createHash } from 'node:crypto'
import type { TestText } from './missing-test-types.js'
import {
  quote,
  type Reference,
  type Scenario,
  type Step,
  type Value,
  type Values,
  withUnique,
} from './scenario.js'
import { type Expected, pathOf } from './trial.js'

/** The request in short, for people. */
export function requestOf(scenario: Scenario, outcome = ''): string {
  const { method, field, words, body } = scenario
  const about = words === '' ? '' : `, where ${words}`
  const isEmpty = body === null || Object.keys(body).length === 0
  const sent = isEmpty ? '' : ` ${objectOf(body, (value) => textOf(value, ''))}`
  const gate = field === null || body !== null || outcome !== '' ? '' : ` with ${field}`
  return `${method} ${pathOf(scenario, ':id')}${sent}${gate}${outcome}${about}`
}

/** A scenario as people write it into a file of tests. */
export function testText(scenario: Scenario, expected: Expected): TestText {
  const { asker, steps, method, id, body } = scenario
  const name = nameOf(scenario, expected)
  const print = (value: Value): string => textOf(value, endOf(name, scenario))
  const values = [
    ...steps.flatMap((step) => Object.values(step.values)),
    ...Object.values(body ?? {}),
  ]
  const ids = [
    ...steps.flatMap((step) => ('id' in step ? [step.id] : [])),
    ...(id === null ? [] : [id]),
  ]
  const names = new Set([...values.flatMap(refsIn), ...ids].map(({ of }) => of))
  const send = asker.user === null ? 'sendAsNobody' : 'send'
  const sent = body === null ? '' : `, ${objectOf(body, print)}`
  const lines = [
    ...(asker.user === null ? [] : [signedIn(asker.role, names.has('user'))]),
    ...steps.map((step) => stepText(step, names, print)),
    `const response = await ${send}(${quote(method)}, ${pathText(scenario)}${sent})`,
    `expect(response.status).toBe(${expected.status})`,
    ...lookedAt(scenario, expected, print),
  ]
  const made = steps.flatMap((step) => (step.does === 'make' ? [`make${step.entity.name}`] : []))
  const isDb = lines.some((line) => line.includes('await db.'))
  const how = asker.user === null ? 'sendAsNobody' : 'signInAs'
  return { name, lines, uses: [...new Set([...made, how, ...(isDb ? ['db'] : [])])] }
}

const signedIn = (role: string, isNamed: boolean): string =>
  `const { ${isNamed ? 'user, ' : ''}send } = await signInAs(${quote(role)})`

const pathText = (scenario: Scenario): string =>
  scenario.id === null
    ? quote(pathOf(scenario, ''))
    : `\`${pathOf(scenario, `\${${refText(scenario.id)}}`)}\``

function nameOf(scenario: Scenario, expected: Expected): string {
  const { role, without } = scenario.asker
  const who = without === null ? role : `${role} without ${without}`
  return `${who}: ${requestOf(scenario, ` ${outcomeOf(scenario, expected)}`)}`
}

function outcomeOf({ field }: Scenario, expected: Expected): string {
  const name = field ?? ''
  if (expected.of === 'status') return `is ${expected.status}`
  if (expected.of === 'there') return expected.holds ? `shows ${name}` : `hides ${name}`
  return expected.of !== 'stored' && expected.holds ? `writes ${name}` : `keeps ${name}`
}

/** A value that is unique in one test is unique in the file. */
const endOf = (name: string, { steps, body }: Scenario): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        name,
        steps.map(({ values }) => Object.keys(values)),
        Object.keys(body ?? {}),
      ]),
    )
    .digest('hex')

type Print = (value: Value) => string

function stepText(step: Step, names: ReadonlySet<string>, print: Print): string {
  const values = Object.keys(step.values).length === 0 ? '' : objectOf(step.values, print)
  if (step.does === 'make') {
    const made = `await make${step.entity.name}(${values})`
    return names.has(step.name) ? `const ${step.name} = ${made}` : made
  }
  if (step.does === 'insert')
    return `await db.insertInto(${quote(step.table)}).values(${values}).execute()`
  const { table, id } = step.entity
  const where = `.where(${quote(id.name)}, '=', ${refText(step.id)})`
  return `await db.updateTable(${quote(table)}).set(${values})${where}.execute()`
}

/** Lists the checks of the answer besides its status, or of the database. */
function lookedAt(scenario: Scenario, expected: Expected, print: Print): readonly string[] {
  const { entity, id, rest, body } = scenario
  const field = scenario.field ?? ''
  const value = body?.[field]
  const sent = value === undefined ? '' : print(value)
  if (expected.of === 'status') return []
  if (expected.of === 'there' || expected.of === 'sent') {
    const path = quote(`data.${rest === '' ? 'attributes' : 'relationships'}.${field}`)
    const inJson = value !== undefined && 'of' in value ? `String(${sent})` : sent
    const also = expected.of === 'sent' ? `, ${inJson}` : ''
    return [`expect(await response.json())${notIf(!expected.holds)}.toHaveProperty(${path}${also})`]
  }
  const column = entity.columns.get(field)?.name ?? field
  const key = entity.id.storage.isText ? 'data.id' : 'Number(data.id)'
  const select = `db.selectFrom(${quote(entity.table)}).select(${quote(column)})`
  const where = `.where(${quote(entity.id.name)}, '=', ${id === null ? key : refText(id)})`
  const held = expected.of === 'stored' ? textOf({ literal: expected.value }, '') : sent
  return [
    ...(id === null
      ? ['const { data } = (await response.json()) as { data: { id: string } }']
      : []),
    `const row = await ${select}${where}.executeTakeFirst()`,
    `expect(row)${notIf('holds' in expected && !expected.holds)}.toEqual({ ${nameText(column)}: ${held} })`,
  ]
}

const notIf = (isNot: boolean): string => (isNot ? '.not' : '')

function objectOf(values: Values, print: Print): string {
  const parts = Object.entries(values).map(([name, value]) => `${nameText(name)}: ${print(value)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function textOf(value: Value, end: string): string {
  if ('list' in value) return `[${value.list.map((each) => textOf(each, end)).join(', ')}]`
  if ('of' in value) return refText(value)
  const held = value.isFresh === true ? withUnique(value.literal, end) : value.literal
  return typeof held === 'string' ? quote(held) : (JSON.stringify(held) ?? 'null')
}

function refText({ of, field, isText, orElse }: Reference): string {
  const member = `${of}${isName(field) ? `.${field}` : `[${quote(field)}]`}`
  const held = orElse === undefined ? member : `${member} ?? ${textOf({ literal: orElse }, '')}`
  return isText === true ? `String(${held})` : held
}

const refsIn = (value: Value): readonly Reference[] => {
  if ('list' in value) return value.list.flatMap(refsIn)
  return 'of' in value ? [value] : []
}

const nameText = (name: string) => (isName(name) ? name : quote(name))
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name)
