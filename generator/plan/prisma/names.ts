/**
 * Names the Prisma schema cannot use as they are. Columns and tables keep theirs through `@map` and `@@map`.
 * Models: scalar types and the two names the generated client exports. Fields: the three words of its filters.
 */
const reservedModels = new Set([
  'BigInt',
  'Boolean',
  'Bytes',
  'DateTime',
  'Decimal',
  'Float',
  'Int',
  'Json',
  'Prisma',
  'PrismaClient',
  'String',
])
export const reservedFields: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT'])

/** Model of an entity or pivot: its own name, or `DecimalRecord` where Prisma has a `Decimal` of its own. */
export function modelNames(names: readonly string[]): (name: string) => string {
  const taken = new Set(names)
  const renamed = new Map<string, string>()
  for (const name of names.filter((each) => reservedModels.has(each))) {
    const free = freeName(taken, [`${name}Record`])
    taken.add(free)
    renamed.set(name, free)
  }
  return (name) => renamed.get(name) ?? name
}

/** Field of a column: its own name, or `AND_` where Prisma's filters have an `AND`. */
export const fieldName = (column: string) => (reservedFields.has(column) ? `${column}_` : column)

/** The first candidate that is free, or the last with a number behind it. */
export function freeName(taken: ReadonlySet<string>, candidates: readonly string[]): string {
  const free = candidates.find((name) => !taken.has(name))
  if (free !== undefined) return free
  const last = candidates.at(-1) ?? 'relation'
  for (let number = 2; ; number++) {
    if (!taken.has(`${last}${number}`)) return `${last}${number}`
  }
}

/** `company_user` → `companyUser`; code names are camelCase, data names stay snake_case. */
export const camelCase = (name: string) =>
  name.replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const pascalCase = (name: string) => {
  const camel = camelCase(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}
