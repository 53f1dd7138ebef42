import { runs } from './runs.js'

export type DatabaseName = 'sqlite' | 'postgresql'

const asked = process.env['SVC_TEST_DATABASES']?.split(',')

/** What tests run on: both databases, unless SVC_TEST_DATABASES names one. */
export const databases: readonly DatabaseName[] = (['sqlite', 'postgresql'] as const).filter(
  (name) => asked === undefined || asked.includes(name),
)

/** Long stories are lived through on one database, and on both where there is time. */
export const isTold = (database: string, usual: 'sqlite' | 'postgresql'): boolean =>
  database === usual || runs(1) > 1

/** The databases that a long story is lived through on. */
export const toldOn = (usual: DatabaseName): readonly DatabaseName[] =>
  databases.filter((name) => isTold(name, usual))
