import { literal } from '../../source/literal.js'
import { type Project, type Understood, understoodIn } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface ResourcesView {
  readonly entities: readonly { readonly name: string; readonly key: string }[]
  /** Headers and parameters that extensions understand in writes, as objects. */
  readonly understood: readonly string[]
  readonly slots: Slots
}

export function resourcesView(project: Project): ResourcesView {
  return {
    entities: project.entities.map(({ name, key }) => ({ name, key })),
    understood: understoodIn(project).map(understoodText),
    slots: project.slots,
  }
}

export const understoodText = (part: Understood): string =>
  `{ in: ${literal(part.in)}, name: ${literal(part.name)} }`
