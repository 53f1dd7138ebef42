import type { Blueprint, Column, Entity } from '../blueprint/types.js'
import { kindOf } from '../kinds/kinds.js'
import { clientMember, fieldName } from '../migrations/schema/names.js'
import { packageFile } from '../source/package-files.js'

/**
 * The first `prisma/seed.ts`, formatted: a user to sign in as, and a token. Without users, or where a user needs what only
 * its developer knows (a company, say), a seed that does nothing yet.
 */
export function seedText({ auth, entities }: Blueprint): string {
  const user = entities.find(({ key }) => key === auth)
  const columns =
    user?.columns.filter((each) => isNeeded(each) || isName(each) || isPassword(each)) ?? []
  const hasEmail = columns.some(({ name, unique }) => name === 'email' && unique)
  const canMake = hasEmail && columns.every(({ role }) => role === 'field')
  if (user === undefined || !canMake) return emptySeed(user ?? entities[0])
  const values = columns.map((column) => {
    const value = sampleOf(column)
    return value === column.name ? `${value},` : `${fieldName(column.name)}: ${value},`
  })
  return packageFile('prisma/seed.users.ts.txt').replace('{{user}}', () => userText(user, values))
}

/** To Prisma nothing is unique that is so among some rows alone: `upsert` does not find by it. */
function userText({ name, columns }: Entity, values: readonly string[]): string {
  const model = `prisma.${clientMember(name)}`
  const absence = columns.find((column) => column.absence === true)
  const indented = (by: string) => values.map((value) => `${by}${value}`)
  if (absence === undefined) {
    const given = [`where: { email },`, 'update: {},', 'create: {', ...indented('  '), '},']
    const lines = given.map((line) => `  ${line}`)
    return [`const user = await ${model}.upsert({`, ...lines, '})'].join('\n')
  }
  return [
    'const user =',
    `  (await ${model}.findFirst({ where: { email, ${fieldName(absence.name)}: null } })) ??`,
    `  (await ${model}.create({`,
    '    data: {',
    ...indented('      '),
    '    },',
    '  }))',
  ].join('\n')
}

function emptySeed(entity: Entity | undefined): string {
  const name = entity?.name ?? 'Post'
  const model = clientMember(name)
  return packageFile('prisma/seed.empty.ts.txt').replaceAll('{{model}}', model)
}

const isNeeded = ({ role, nullable, default: given }: Column) =>
  role !== 'id' && role !== 'timestamp' && !nullable && given === undefined

/** Optional where people register; a list of users reads better with it. */
const isName = ({ name, role, kind }: Column) =>
  name === 'name' && role === 'field' && kindOf(kind).usualMax !== null

/** Optional where others make users in lists; who signs in has one. */
const isPassword = ({ name, role }: Column) => name === 'password' && role === 'field'

/** A value as TypeScript. */
const sampleOf = (column: Column): string =>
  column.name === 'email' ? 'email' : kindOf(column.kind).seed(column)
