import { columnNamed } from '../../model/entity-columns.js'
import type { HasEntity } from '../../model/entity.js'
import { trashOf } from './trash-of.js'

interface Given {
  readonly db: object
  readonly repositories: readonly { readonly repository: HasEntity }[]
}

/** Kysely, as far as it is needed here: its types are those of a project's tables. */
interface Updates {
  updateTable(table: string): {
    set(values: object): {
      where(column: string, is: '=', id: unknown): { execute(): Promise<unknown> }
    }
  }
}

/** For `testAuthorization`: what is brought back must be in the trash. */
export const inTrashFirst = {
  prepared: async (
    { db, repositories }: Given,
    does: string,
    key: string,
    id: unknown,
  ): Promise<void> => {
    const entity = repositories.find(({ repository }) => repository.definition.key === key)
      ?.repository.definition
    if (!does.startsWith('restore') || entity === undefined) return
    const { name } = columnNamed(entity, trashOf(entity).absence)
    const set = { [name]: new Date().toISOString() }
    // The project's Kysely.
    const update = (db as Updates).updateTable(entity.table).set(set)
    await update.where(entity.id.name, '=', id).execute()
  },
}
