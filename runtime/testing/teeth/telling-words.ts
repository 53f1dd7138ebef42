import { relatedOf } from '../../features/relations/entries.js'
import type { Entity, Row } from '../../model/entity.js'
import { definitionOf, type Project } from '../authorization/project.js'
import type { Found } from './apart.js'
import type { State } from './flat.js'
import type { About, Asker, Rule, Telling } from './telling-types.js'

const rolesFile = 'tests/roles.ts'
const testFile = 'a test of yours'

const requests = {
  show: (key: string) => `GET /api/svc/${key}/:id`,
  store: (key: string) => `POST /api/svc/${key}`,
  update: (key: string) => `PATCH /api/svc/${key}/:id`,
  updateTo: (key: string) => `PATCH /api/svc/${key}/:id`,
  delete: (key: string) => `DELETE /api/svc/${key}/:id`,
} as const

export const ruleRequest = ({ key }: Entity, rule: Rule): string => requests[rule](key)

/** A field that is shown, or written. */
export function gateWords(
  project: Project,
  { entity, asker, rule }: About,
  gate: 'canSee' | 'canStore' | 'canUpdate',
  field: string,
): Telling {
  const { key, name } = entity
  const request = `${requests[rule](key)} with ${field}`
  if (asker.without !== null) return withUser(project, asker, request)
  const [method = ''] = requests[rule](key).split(' ')
  const body = gate === 'canSee' ? '' : `, { ${field}: … }`
  const line = [
    signedIn(asker),
    gate === 'canStore' ? '' : `const { id } = await make${name}()`,
    `const { data } = await (await send('${method}', ${pathOf(key, rule)}${body})).json()`,
    `expect(data.attributes.${field}).not.${gate === 'canSee' ? 'toBeDefined()' : 'toBe(…)'}`,
  ]
  return { kind: 'request', as: asker.role, request, line: joined(line), file: testFile }
}

const joined = (lines: readonly string[]) => lines.filter((line) => line !== '').join('; ')

const pathOf = (key: string, rule: Rule): string =>
  rule === 'store' ? `'/api/svc/${key}'` : `\`/api/svc/${key}/\${id}\``

const signedIn = ({ role, user }: Asker): string =>
  user === null
    ? 'const send = sendAsNobody'
    : `const { user, send } = await signIn((await roles${member(role)}()) ?? undefined)`

const member = (name: string) => (isName(name) ? `.${name}` : `[${quoted(name)}]`)
const named = (name: string) => (isName(name) ? name : quoted(name))
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name)
const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`

function withUser(project: Project, { role, without }: Asker, request: string): Telling {
  const { name } = definitionOf(project, project.decided.signsIn ?? '')
  const line = `${quoted(`${role} without ${without ?? ''}`)}: () => make${name}({ ${named(without ?? '')}: null }),`
  return { kind: 'request', as: `${role} without ${without ?? ''}`, request, line, file: rolesFile }
}

/** The row that tells, made by the factories of the tests, and who asks for it. */
export function rowWords(
  project: Project,
  { entity, asker, rule }: About,
  state: State,
  found: Found,
): Telling {
  const { key } = entity
  const made = rowOf(entity, ['before'], asker, found)
  const about = made.words === '' ? '' : `, where ${made.words}`
  if (rule !== 'store' && state === 'before') {
    const request = `${requests[rule](key)}${about}`
    if (asker.without !== null) return withUser(project, asker, request)
    const name = made.name === '' ? 'one' : made.name
    const line = `${named(key)}: async (user) => ({ ${quoted(name)}: ${made.code} }),${made.notes}`
    return { kind: 'request', as: asker.role, request, line, file: rolesFile }
  }
  const sent = bodyOf(entity, asker, rule === 'store' ? 'before' : 'after', found)
  const request = `${requests[rule](key)} ${sent}${rule === 'store' ? '' : about}`
  if (asker.without !== null) return withUser(project, asker, request)
  const allowed = rule === 'store' ? 201 : 200
  const status = found.holds ? allowed : 403
  const line = [
    signedIn(asker),
    rule === 'store' ? '' : `const { id } = ${made.code}`,
    `expect((await send('${rule === 'store' ? 'POST' : 'PATCH'}', ${pathOf(key, rule)}, ${sent})).status).toBe(${status})${made.notes}`,
  ]
  return { kind: 'request', as: asker.role, request, line: joined(line), file: testFile }
}

interface Made {
  readonly code: string
  readonly name: string
  readonly words: string
  readonly notes: string
}

function rowOf(entity: Entity, path: readonly string[], asker: Asker, { values }: Found): Made {
  const own = values.get(path.join('.')) ?? {}
  const parts: string[] = []
  const names: string[] = []
  const words: string[] = []
  const notes: string[] = []
  for (const [field, value] of columnsOf(entity, own)) {
    const shown = valueText(asker, value)
    words.push(`${field} is ${shown}`)
    if (field !== entity.id.field) names.push(`${field} ${shown.replaceAll(/['`]/g, '')}`)
    // The factory makes records of others.
    if (isPointer(entity, field) && shown !== 'user.id') continue
    if (field !== entity.id.field) parts.push(`${named(field)}: ${shown}`)
  }
  for (const [key, link] of relatedOf(entity)?.links ?? []) {
    const inside = [...path, key]
    if (![...values.keys()].some((alias) => `${alias}.`.startsWith(`${inside.join('.')}.`)))
      continue
    const target = link.relation.target().definition
    const related = rowOf(target, inside, asker, { holds: true, values })
    if (related.words !== '') {
      words.push(`its ${key} has ${related.words}`)
      names.push(related.name)
    }
    if (link.relation.kind === 'belongsTo') {
      parts.push(`${named(link.relation.foreignKey)}: (${related.code}).id`)
    } else notes.push(` // with ${key}: ${related.words || 'one'}`)
    notes.push(related.notes)
  }
  const isAsker = valueText(asker, own[entity.id.name]) === 'user.id'
  const given = parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
  return {
    code: isAsker ? 'user' : `await make${entity.name}(${given})`,
    name: names.join(', '),
    words: words.join(', '),
    notes: notes.join(''),
  }
}

function columnsOf(entity: Entity, values: Row): readonly (readonly [string, unknown])[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (name === 'svc.there') return []
    const column = [...entity.columns.values()].find((each) => each.name === name)
    return [[column?.field ?? name.replace('pivot.', "pivot's "), value] as const]
  })
}

function isPointer(entity: Entity, field: string): boolean {
  const links = [...(relatedOf(entity)?.links.values() ?? [])]
  return links.some(
    ({ relation }) => relation.kind === 'belongsTo' && relation.foreignKey === field,
  )
}

function valueText({ user }: Asker, value: unknown): string {
  if (user !== null && value !== null && value === user['id']) return 'user.id'
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

/** What no body writes, the server fills: sent, it would be an unknown field. */
function bodyOf(entity: Entity, asker: Asker, alias: string, { values }: Found): string {
  const parts = columnsOf(entity, values.get(alias) ?? {}).flatMap(([field, value]) =>
    Object.hasOwn(entity.rules, field) ? [`${named(field)}: ${valueText(asker, value)}`] : [],
  )
  return `{ ${parts.join(', ')} }`
}
