import type { FeatureCheck } from '../../blueprint/feature.js'
import { MANIFEST, type Finding } from '../../blueprint/problems.js'
import type { Column, FeatureTable } from '../../blueprint/types.js'
import { aSwitch } from '../a-switch.js'

export const replicasCheck: FeatureCheck = {
  ...aSwitch('readReplicas'),
  facts: ({ readReplicas, database }, { report }) => {
    if (readReplicas !== true) return undefined
    if (database === 'sqlite') report(noReplicas)
    return true
  },
  tables: () => [readPositions],
}

const noReplicas: Finding = {
  rule: 'replicas-of-sqlite',
  at: [MANIFEST, 'readReplicas'],
  message: 'readReplicas is true, and an SQLite file has no replicas',
  fix: "leave it out, or database: 'postgresql'",
}

const plain = { nullable: false, unique: false, indexed: false, hidden: true, readonly: true }
const text = (name: string): Column => ({ ...plain, name, role: 'field', kind: 'text' })

/** How far a replica must be before somebody reads from it: past what they wrote last. */
const readPositions: FeatureTable = {
  name: 'read_positions',
  model: 'ReadPosition',
  columns: [{ ...text('reader'), role: 'id' }, text('position')],
}
