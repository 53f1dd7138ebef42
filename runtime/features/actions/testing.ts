import type { Entity, Row } from '../../model/entity.js'
import { namedRecord } from '../bulk/testing.js'

/** An input that no action takes. */
const input = { 'an input that no action takes': true }

/**
 * For `testAuthorization`: bodies that the rules of every action refuse, once its policy agreed, so that
 * nothing is run.
 */
export const refusedInput = {
  actions: {
    many: (entity: Entity, row: object): Row => ({ ids: [namedRecord(entity, row)], input }),
    others: { input },
  },
}
