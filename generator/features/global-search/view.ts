import type { Project } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import { searchedIn } from './check.js'

export interface SearchView {
  /** Names of the repositories that are searched, to be imported. */
  readonly names: readonly string[]
  /** The list of the emitted file. */
  readonly searched: readonly string[]
}

export function searchView({ blueprint, entities }: Project): SearchView {
  const searched = searchedIn(blueprint).flatMap(({ key, subtitle }) => {
    const name = entities.find((entity) => entity.key === key)?.name
    const below = subtitle === null ? '' : `, subtitle: ${literal(subtitle)}`
    return name === undefined ? [] : [{ name, text: `{ repository: ${name}Repository${below} },` }]
  })
  return {
    names: searched.map(({ name }) => name).toSorted(),
    searched: searched.map(({ text }) => text),
  }
}
