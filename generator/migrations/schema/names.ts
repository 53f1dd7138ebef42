/** The three words of Prisma's filters; everything else that a column may be called is fine as a field. */
export const reservedFields: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT'])

/** Field of a column: its own name, or `AND_` where Prisma's filters have an `AND`. */
export const fieldName = (column: string) => (reservedFields.has(column) ? `${column}_` : column)

/** Member of Prisma's client for a model. */
export const clientMember = (model: string) => model.charAt(0).toLowerCase() + model.slice(1)

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
