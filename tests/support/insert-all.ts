import type { Project } from './project.js'

const now = '2026-01-01T00:00:00.000Z'

/** Writes many rows of the same columns straight into a table, in few statements. */
export async function insertAll(
  { database, name }: Project,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 200) {
    const part = rows
      .slice(at, at + 200)
      .map((row) => ({ created_at: now, updated_at: now, ...row }))
    const columns = Object.keys(part[0] ?? {})
    const values = part.flatMap((row) => Object.values(row).map((value) => stored(value, name)))
    const place = (index: number) => (name === 'sqlite' ? '?' : `$${index + 1}`)
    const lists = part.map(
      (_, row) => `(${columns.map((__, index) => place(row * columns.length + index)).join(', ')})`,
    )
    const names = columns.map((column) => `"${column}"`).join(', ')
    const sql = `insert into "${table}" (${names}) values ${lists.join(', ')}`
    await database.query({ sql, access: 'write' }, values)
  }
}

/** As the server stores it. */
function stored(value: unknown, name: Project['name']) {
  if (typeof value === 'boolean') return name === 'sqlite' ? Number(value) : String(value)
  if (typeof value !== 'string' || name !== 'sqlite') return value as string | number | null
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value.replace('Z', '+00:00')
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000+00:00` : value
}
