import type { MigrationSession } from './session.js'

/** Findings of a migration's checks: `posts.title is no text max 5`. */
export interface Found {
  readonly what: string
  readonly rows: number
  /** The number of them that stay in the way of a run that accepts data loss. */
  readonly lasting: number
}

const check =
  /^-- Check(?: of secrets)?(, unless data loss is accepted)?: (.*)\n[^]*?SELECT count\(\*\)(?: INTO svc_rows)?( FROM [^]*?);\n(?:DROP TABLE|IF svc_rows)/gm

/** Asks all checks of a migration, which itself would stop at the first; changes nothing. */
export async function findRows(session: MigrationSession, sql: string): Promise<readonly Found[]> {
  const checks = [...sql.matchAll(check)]
  const [first] = checks
  if (first === undefined) return []
  await session.query('SAVEPOINT svc_checks')
  try {
    // They ask by the names that it gives first.
    const renames = sql.slice(0, first.index)
    if (/^[^-\n]/m.test(renames)) await session.run(renames)
    const found = new Map<string, Found>()
    for (const [, isPassing, what = '', from = ''] of checks) {
      const [[count] = []] = await session.query(`SELECT count(*)${from}`)
      const old = found.get(what) ?? { what, rows: 0, lasting: 0 }
      const [rows, lasting] = [Number(count), isPassing === undefined ? Number(count) : 0]
      found.set(what, { what, rows: Math.max(old.rows, rows), lasting: old.lasting + lasting })
    }
    return [...found.values()].filter(({ rows }) => rows > 0)
  } catch {
    // The run reports the problem.
    return []
  } finally {
    await session.query('ROLLBACK TO SAVEPOINT svc_checks')
  }
}

export const foundText = ({ what, rows }: Found) =>
  `${what}: ${rows} ${rows === 1 ? 'row' : 'rows'}`

export const stoppedText = (name: string, found: readonly Found[]) =>
  `Migration '${name}' was not applied, because rows stand in its way:\n` +
  `${found.map((each) => `  ${foundText(each)}\n`).join('')}  fix    change these rows` +
  (found.every(({ lasting }) => lasting === 0) ? accepting : '')

const accepting = `; or run it once with --accept-data-loss (npm run migrate -- --accept-data-loss, and in
         production node dist/app/migrate.js --accept-data-loss), which keeps what fits of their values, or else nothing`
