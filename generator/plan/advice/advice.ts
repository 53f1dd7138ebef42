import type { Blueprint, Column, Entity } from '../../blueprint/types.js'

/** Something that hurts later, where it is, and what to do. */
export interface Advice {
  readonly rule: string
  /** A file, or a file and what is in it. */
  readonly at: string
  readonly message: string
  readonly fix: string
}

/** Lists the parts of a manifest that hurt in production. */
export function adviseOn(blueprint: Blueprint): readonly Advice[] {
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  return [
    ...publicOnes(blueprint.entities.filter(({ isPublic }) => isPublic)),
    ...blueprint.entities.flatMap((entity) => [
      ...unindexed(entity),
      ...unindexedThrough(entity, entities),
    ]),
  ]
}

/** One piece of advice, however many there are. */
function publicOnes(entities: readonly Entity[]): readonly Advice[] {
  const [first] = entities
  if (first === undefined) return []
  const fix = (policies: string) =>
    `make sure that ${policies} admits only what everyone may see, or leave public: true out`
  if (entities.length === 1) {
    const message = `'${first.key}' can be read without a token`
    return [
      {
        ...{ rule: 'public', at: first.source, message },
        fix: fix(`${first.name}Policy.show(null)`),
      },
    ]
  }
  const keys = entities.map(({ key }) => `'${key}'`).join(', ')
  const message = `${entities.length} repositories can be read without a token: ${keys}`
  return [
    {
      ...{ rule: 'public', at: 'app/Policies', message },
      fix: fix('show(null) of their policies'),
    },
  ]
}

/** Every row is read for these. */
function unindexed(entity: Entity): readonly Advice[] {
  const { key, source, columns } = entity
  const find = (name: string) => columns.find((column) => column.name === name)
  const bare = (name: string) => !hasIndex(find(name))
  const advice = (rule: string, message: string, fix: string) => ({
    rule,
    at: source,
    message,
    fix,
  })
  return [
    ...entity.match
      .filter(({ column, type }) => type === 'partial' || bare(column))
      .map(({ column, type }) =>
        type === 'partial'
          ? advice(
              'unindexed-filter',
              `filtering '${key}' by part of '${column}' reads every row: no index helps`,
              `match: { ${column}: 'text' }, where the whole value is known`,
            )
          : advice(
              'unindexed-filter',
              `filtering '${key}' by '${column}' reads every row`,
              'bound it with .max(), so that an index can hold it, or leave the filter out',
            ),
      ),
    ...entity.sort
      .filter(bare)
      .map((column) =>
        advice(
          'unindexed-sort',
          `sorting '${key}' by '${column}' reads every row`,
          'bound it with .max(), so that an index can hold it, or leave it out of sort',
        ),
      ),
    ...columns
      .filter((column) => column.role === 'foreign' && !hasIndex(column))
      .map(({ name }) =>
        advice(
          'unindexed-foreign-key',
          `'${name}' of '${key}' points at other rows and has no index`,
          `declare it with a relation, or add an index in prisma/schema/own.prisma`,
        ),
      ),
  ]
}

function unindexedThrough(
  { key, source, relations }: Entity,
  entities: ReadonlyMap<string, Entity>,
): readonly Advice[] {
  return relations.flatMap(({ key: relation, target, sortable }) =>
    sortable.flatMap((name) => {
      const column = entities.get(target)?.columns.find((each) => each.name === name)
      if (hasIndex(column)) return []
      const message = `sorting '${key}' by '${relation}.${name}' reads every row of '${target}'`
      const fix = `name '${name}' in sort of '${target}', which gives it an index`
      return [{ rule: 'unindexed-sort', at: source, message, fix }]
    }),
  )
}

const hasIndex = (column: Column | undefined) =>
  column !== undefined && (column.indexed || column.unique || column.role === 'id')
