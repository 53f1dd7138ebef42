import { RESERVED_FIELDS } from '../../manifest/reserved.js'
import { columnsOf, inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { show } from '../fields/shapes.js'
import type { Path } from '../problems.js'
import type { ForeignKeys } from '../relations/foreign-keys.js'
import type { Column, Database } from '../types.js'
import { storedName } from './names.js'

/**
 * Checks the names of `.column()` and of a belongsTo's `column`: the database must allow them; with
 * `key`, each once.
 */
export function checkStoredNames(
  keys: ForeignKeys,
  database: Database,
  { drafts, auth, report }: Context,
): void {
  for (const draft of drafts) {
    const all = columnsOf(draft)
    for (const [at, column] of all.entries()) {
      if (column.stored === undefined) continue
      const others = [...all.slice(0, at), ...all.slice(at + 1).filter(isPlain)]
      const wrong =
        (column.role === 'id' ? null : unfit(column.stored, database)) ??
        taken(column, others, database) ??
        (draft === auth ? ofSignIn(column) : null)
      if (wrong === null) continue
      const { says, fix } = wrong
      const what = column.role === 'id' ? `the key of '${draft.path}'` : `'${column.name}'`
      report({
        rule: 'column-name',
        at: pathOf(draft, column, keys),
        message: `${what} has the column ${show(column.stored)}, ${says}`,
        fix,
      })
    }
  }
}

interface Wrong {
  readonly says: string
  readonly fix: string
}

const isPlain = ({ stored }: Column) => stored === undefined

/** PostgreSQL cuts longer ones. */
const mostBytes = 63

function unfit(name: string, database: Database): Wrong | null {
  if (isUnwritable(name)) {
    const says = `and no name with a double quote, a backslash, a point, ' as ' or a control character can be written everywhere`
    return { says, fix: 'leave that column alone, or rename it in a migration of yours' }
  }
  if (RESERVED_FIELDS.some((each) => each !== 'pivot' && each === name.toLowerCase())) {
    const says = 'which a database keeps for itself'
    return { says, fix: 'the name of a column of the table' }
  }
  const bytes = Buffer.byteLength(name)
  if (database === 'sqlite' || bytes <= mostBytes) return null
  const says = `which has ${bytes} bytes, and PostgreSQL cuts names after ${mostBytes}`
  return { says, fix: 'a shorter name' }
}

/** Prisma, which writes the migrations, quotes names as they are; Kysely reads `table.column as name`. */
export const isUnwritable = (name: string): boolean =>
  name === '' || /["\\.\p{Cc}]| as /u.test(name)

/** SQLite does not tell `Name` from `name`. */
function taken(column: Column, others: readonly Column[], database: Database): Wrong | null {
  const form = (name: string) => (database === 'sqlite' ? name.toLowerCase() : name)
  const twin = others.find((each) => form(storedName(each)) === form(storedName(column)))
  if (twin === undefined) return null
  const says =
    twin.role === 'id'
      ? 'and that is the column of its key'
      : `and that is the column of '${twin.name}'`
  return { says, fix: 'a column for each of them' }
}

const signIn = ['id', 'email', 'password', 'email_verified_at']

/** SQL of the sign-in names these. */
const ofSignIn = ({ name, role }: Column): Wrong | null =>
  role !== 'id' && signIn.includes(name)
    ? {
        says: `and its rows sign in: that needs a column called '${name}'`,
        fix: 'leave .column() out',
      }
    : null

function pathOf(draft: EntityDraft, { name, role }: Column, keys: ForeignKeys): Path {
  if (role === 'id') return [draft.path, 'key']
  const [link] = [...keys].find(([{ from, kind }, made]) => {
    return from === draft && kind === 'belongsTo' && made === name
  }) ?? [undefined]
  return link === undefined
    ? [draft.path, 'fields', name, 'column']
    : inRelated(draft, link.key, 'column')
}
