export type DatabaseName = 'sqlite' | 'postgresql'

const asked = process.env['SVC_TEST_DATABASES']?.split(',')

/** What tests run on: both databases, unless SVC_TEST_DATABASES names one. */
export const databases: readonly DatabaseName[] = (['sqlite', 'postgresql'] as const).filter(
  (name) => asked === undefined || asked.includes(name),
)
