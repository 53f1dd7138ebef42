import { camelCase } from '../../../blueprint/names/names.js'
import type { Column, Entity } from '../../../blueprint/types.js'
import { ruleImportsOf, ruleIn, type RuleImport } from '../../../plan/views/repository.js'
import { requiredColumns, writtenColumns, type Write } from '../../../plan/written-columns.js'
import { property } from '../../../source/literal.js'
import type { Client, RecordsBelow } from '../names.js'

export interface ClientRulesView {
  readonly source: string
  readonly imports: readonly RuleImport[]
  readonly bodies: readonly RulesView[]
}

interface RulesView {
  /** `postStoreRules` */
  readonly name: string
  /** The function whose body it is of. */
  readonly write: Write
  readonly rules: readonly { readonly property: string; readonly text: string }[]
  /** Rules that it is like, all of them optional or not. */
  readonly same: string | null
}

/** The rules of the server for each body, which the same functions check. */
export function clientRulesView(entity: Entity, client: Client): ClientRulesView {
  const { api, name } = client
  const stem = camelCase(name(entity))
  const nameOf = (write: Write) => `${stem}${write.charAt(0).toUpperCase()}${write.slice(1)}Rules`
  const rulesOf = (write: Write) =>
    writtenColumns(api, entity, write).map((column) => ({
      property: property(column.name),
      text: textOf(entity, column, client, write),
    }))
  const below = [...client.parts.values()].flatMap((part) => part.below?.(client, entity) ?? [])
  const allOf = (write: Write) => [
    ...rulesOf(write),
    ...below
      .filter(({ writes = ['store'] }) => writes.includes(write))
      .map((each) => ruleBelow(each, client)),
  ]
  const [store, replace, patch] = [allOf('store'), allOf('replace'), allOf('patch')]
  const columns = writtenColumns(api, entity, 'store').concat(writtenColumns(api, entity, 'patch'))
  const text = (rules: typeof store) => JSON.stringify(rules)
  const names = (rules: typeof store) => rules.map((rule) => rule.property).join()
  return {
    source: entity.source,
    imports: ruleImportsOf([
      ...columns.map((column) => ruleIn(entity, column, api.project)),
      ...below.flatMap(({ target, columns: theirs }) =>
        theirs.map((column) => ruleIn(target, column, api.project)),
      ),
    ]),
    bodies: [
      { name: nameOf('store'), write: 'store', rules: store, same: null },
      {
        ...{ name: nameOf('replace'), write: 'replace', rules: replace },
        same: text(store) === text(replace) ? nameOf('store') : null,
      },
      {
        ...{ name: nameOf('patch'), write: 'patch', rules: patch },
        same: names(store) === names(patch) ? `${nameOf('store')}.partial()` : null,
      },
    ],
  }
}

/** Records in the body of another one: they hold nothing else, whatever the config says. */
function ruleBelow({ key, target, columns, isOne, areNamed }: RecordsBelow, client: Client) {
  const members = columns.map(
    (column) => `${property(column.name)}: ${textOf(target, column, client, 'store')}`,
  )
  const strict = (own: readonly string[]) => `z.strictObject({ ${own.join(', ')} })`
  if (areNamed) {
    const pivots = 'pivots: z.record(z.string(), z.unknown()).optional()'
    const byId = strict(['id: z.union([z.string(), z.number()])', pivots])
    const item = columns.length === 0 ? byId : `z.union([${byId}, ${strict([...members, pivots])}])`
    return { property: property(key), text: `z.array(${item}).optional()` }
  }
  const one = strict(members)
  const text = isOne ? `${one}.nullish()` : `z.array(${one}).optional()`
  return { property: property(key), text }
}

/** A field that gates or hooks may leave out is optional, whatever its rule says. */
function textOf(entity: Entity, column: Column, { api }: Client, write: Write): string {
  const { text } = ruleIn(entity, column, api.project)
  const isOptional = column.nullable || column.default !== undefined
  const isRequired = requiredColumns(api, entity, write).includes(column.name)
  return isOptional || isRequired ? text : `${text}.optional()`
}
