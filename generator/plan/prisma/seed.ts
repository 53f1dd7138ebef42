import type { Blueprint, Column, Entity } from '../../blueprint/types.js'
import { packageFile } from '../package-files.js'
import { fieldName } from './names.js'

/**
 * The first `prisma/seed.ts`, formatted: a user to sign in as, and a token. Without users, or where a user needs what only
 * its developer knows (a company, say), a seed that does nothing yet.
 */
export function seedText({ auth, entities }: Blueprint): string {
  const user = entities.find(({ key }) => key === auth)
  const columns = user?.columns.filter((each) => isNeeded(each) || isName(each)) ?? []
  const hasEmail = columns.some(({ name, unique }) => name === 'email' && unique)
  const canMake = hasEmail && columns.every(({ role }) => role === 'field')
  if (user === undefined || !canMake) return emptySeed(user ?? entities[0])
  const values = columns.map((column) => {
    const value = sampleOf(column)
    return value === column.name ? `    ${value},` : `    ${fieldName(column.name)}: ${value},`
  })
  return packageFile('prisma/seed.users.ts.txt')
    .replaceAll('{{model}}', user.name.charAt(0).toLowerCase() + user.name.slice(1))
    .replace('    {{values}}', values.join('\n'))
}

function emptySeed(entity: Entity | undefined): string {
  const name = entity?.name ?? 'Post'
  const model = name.charAt(0).toLowerCase() + name.slice(1)
  return packageFile('prisma/seed.empty.ts.txt').replaceAll('{{model}}', model)
}

const isNeeded = ({ role, nullable, default: given }: Column) =>
  role !== 'id' && role !== 'timestamp' && !nullable && given === undefined

/** Optional where people register; a list of users reads better with it. */
const isName = ({ name, role, kind }: Column) =>
  name === 'name' && role === 'field' && kind === 'text'

/** A value as TypeScript. */
function sampleOf(column: Column): string {
  const { name, kind, options = [], min = 0 } = column
  if (name === 'email') return 'email'
  if (kind === 'password') return 'await hashPassword(password)'
  switch (kind) {
    case 'email':
      return `'ada.${name}@example.com'`
    case 'number':
    case 'integer':
    case 'float':
      return String(Math.max(0, min))
    case 'decimal':
      return `'${Math.max(0, min).toFixed(column.scale ?? 2)}'`
    case 'boolean':
    case 'toggle':
      return 'false'
    case 'date':
    case 'dateTime':
      return `new Date('2026-01-01')`
    case 'json':
      return '{}'
    case 'multiSelect':
      return `[${options.slice(0, min).map(single).join(', ')}]`
    case 'select':
      return single(options[0] ?? '')
    case 'uuid':
      return `'00000000-0000-4000-8000-000000000000'`
    default:
      return name === 'name' ? `'Ada Lovelace'` : `'Example'`
  }
}

const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
