import type { MigrationReader } from './session.js'

const accept = {
  sqlite: 'CREATE TEMP TABLE svc_accept_data_loss (yes)',
  postgresql: `SET LOCAL svc.accept_data_loss = 'on'`,
}
const end = {
  sqlite: 'DROP TABLE temp.svc_accept_data_loss',
  postgresql: `SET LOCAL svc.accept_data_loss = 'off'`,
}

/**
 * What a migration checks before it cuts, empties or deletes anything lets rows pass in here: for
 * this run, and for the rows there are. A transaction that is rolled back takes it along.
 */
export async function acceptingLoss<T>(
  { dialect, query }: MigrationReader,
  work: () => Promise<T>,
): Promise<T> {
  await query(accept[dialect])
  const result = await work()
  await query(end[dialect])
  return result
}
