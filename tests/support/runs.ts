const times = Number(process.env['SVC_TEST_RUNS'] ?? 1)

/** How many cases a property is tried with: `npm run test:long` tries ten times as many. */
export const runs = (usual: number): number => usual * times

/**
 * How many of them on a database. A case takes three times as long on PostgreSQL as on SQLite: a third of the cases are tried
 * there, and as many as on SQLite where there is time.
 */
export const runsOn = (database: 'sqlite' | 'postgresql', usual: number): number =>
  times === 1 && database === 'postgresql' ? Math.ceil(usual / 3) : runs(usual)
