import type { Statements } from '../plan.js'
import { targetOfMany } from './existing.js'
import { insertMany } from './insert.js'
import { removeMany } from './remove.js'
import { sendInTransaction } from './transaction.js'
import { updateMany } from './update.js'

/** The SQL of many records: their number changes no number of statements. */
export const statementsOfMany: Statements = {
  target: targetOfMany,
  insert: insertMany,
  update: updateMany,
  remove: removeMany,
  transaction: sendInTransaction,
}
