import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { property } from '../../source/literal.js'
import type { CustomFilter } from './check.js'
import { customFiltersFact } from './check.js'

export interface FiltersView {
  readonly name: string
  readonly plural: string
  readonly imports: readonly string[]
  readonly match: readonly AnswerView[] | null
  readonly sort: readonly AnswerView[] | null
  readonly filters: readonly AnswerView[] | null
}

interface AnswerView {
  readonly property: string
  /** Describes the filter. */
  readonly remark: string
}

export function filtersView(entity: Entity, project: Surroundings): FiltersView {
  const { match = [], sort = [], filters = [] } = customFiltersFact.of(entity, project) ?? {}
  const views = <Said extends { readonly name: string }>(
    all: readonly Said[],
    remarkOf: (said: Said) => string,
  ) =>
    all.length === 0
      ? null
      : all.map((said) => ({ property: property(said.name), remark: remarkOf(said) }))
  return {
    name: entity.name,
    plural: entity.plural,
    imports: ['FiltersFor', `${entity.name}FilterValues`, `${entity.name}Model`].toSorted(),
    match: views(match, (said) => `\`${said.name}=${sampleOf(said)}\``),
    sort: views(sort, ({ name }) => `\`sort=${name}\` and \`sort=-${name}\``),
    filters: views(filters, (said) => `\`{ "key": "${said.name}", "value": … }\` in \`filters\``),
  }
}

const samples = { boolean: 'true', number: '5', text: '…', timestamp: '2026-02-03' }

const sampleOf = ({ kind, options = [] }: CustomFilter): string =>
  // A comment must not end in the middle of an option.
  kind === 'select' || kind === 'multiSelect'
    ? (options[0] ?? '').replaceAll(/[^\w -]/g, '…')
    : samples[kind]
