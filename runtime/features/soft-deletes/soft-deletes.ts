import type { Access, Extension, OwnOperation } from '../../model/entity.js'
import { deniedOutright } from '../../operations/denied.js'
import { ask } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { combine } from '../../policy/condition.js'
import { takeAlong } from './cascade.js'
import { holdForTrash, holdParents } from './hold-parents.js'
import type { Trash } from './trash-of.js'

declare module '../../model/policy-and-hooks.js' {
  interface Questions {
    readonly restore: true
    readonly forceDelete: true
  }
}

declare module '../../model/operations.js' {
  interface Operations {
    readonly restore: true
    readonly forceDelete: true
  }
}

export interface SoftDeletesOptions {
  /** Since when a record is in the trash; NULL: it is there. */
  readonly column?: string
  /** Relations whose records go into the trash with it, and come back with it. */
  readonly cascade?: readonly string[]
  /** For how many days a record is kept in the trash: `npm run prune` deletes older ones for good. */
  readonly keepDays?: number
}

/** `with`: what is there, and in the trash; `only`: in the trash. */
type Trashed = 'with' | 'only'

export const parameter = 'trashed'

interface SoftDeletes extends Extension, Trash {}

/**
 * No two deletions of one process have the same instant: it says which records went together. Those
 * of two processes can share a millisecond.
 */
let last = 0
const instant = () => new Date((last = Math.max(Date.now(), last + 1))).toISOString()

const operationsOf = (column: string): readonly OwnOperation[] => [
  {
    name: 'restore',
    method: 'POST',
    path: 'restore',
    status: 200,
    finding: (access) => looking(access, 'only'),
    flag: {
      name: 'authorizedToRestore',
      answer: (access) => askedIn(access) !== undefined && restorable(access, column),
    },
  },
  {
    name: 'forceDelete',
    method: 'DELETE',
    path: 'force',
    status: 204,
    finding: (access) => looking(access, 'with'),
    wasGone: (row) => row[column] !== null,
    flag: { name: 'authorizedToForceDelete', answer: (access) => ask(access, 'forceDelete') },
  },
]

/**
 * For a repository: what is deleted stays in its table, and is nowhere else.
 * @example extensions: [softDeletes()]
 */
export function softDeletes({
  column = 'deleted_at',
  cascade = [],
  keepDays,
}: SoftDeletesOptions = {}): SoftDeletes {
  const isThere = { [column]: { isNull: true } }
  return {
    absence: column,
    cascade,
    keepDays,
    visible: (access) => {
      const asked = access === null ? undefined : askedIn(access)
      return access === null || asked === undefined ? isThere : inTrash(access, asked, column)
    },
    says: {
      parts: [
        {
          in: 'query',
          name: parameter,
          of: ['index', 'show'],
          shows: [column],
          read: (text) =>
            text === 'with' || text === 'only'
              ? { value: text }
              : { problem: 'must be with or only' },
        },
      ],
    },
    operations: operationsOf(column),
    write: ({ access: { entity } }) => ({
      removal: () => ({ [column]: instant() }),
      within: (record) => {
        const { id } = record
        if (record.write.operation !== 'delete') return holdParents(record)
        if (cascade.length === 0 || id === null) return null
        return {
          begin: (connection) => holdForTrash(entity, id, connection),
          write: (connection) => takeAlong(connection, entity, id),
        }
      },
    }),
  }
}

const askedIn = ({ parameters }: Access): Trashed | undefined =>
  // `read` made it.
  parameters.get(parameter) as Trashed | undefined

/** Returns the condition of the trash, as far as the user may restore it or delete it for good. */
async function inTrash(access: Access, asked: Trashed, column: string): Promise<unknown> {
  const answers = [await ask(access, 'restore'), await ask(access, 'forceDelete')]
  const some = combine('any', answers)
  if (answerTest(access.entity, some) === false) throw deniedOutright(access, 'restore')
  const gone = combine('all', [{ [column]: { isNull: false } }, some])
  return asked === 'only' ? gone : combine('any', [{ [column]: { isNull: true } }, gone])
}

const restorable = async (access: Access, column: string): Promise<unknown> =>
  combine('all', [{ [column]: { isNull: false } }, await ask(access, 'restore')])

/** The records of the trash, or with those that are there. */
export const looking = (access: Access, into: Trashed): Access =>
  Object.assign({}, access, { parameters: new Map([...access.parameters, [parameter, into]]) })
