import type { Column, Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { columnType } from '../../plan/views/fields/column-type.js'
import { property, remark } from '../../source/literal.js'
import { actionsFact, type DeclaredAction } from './check.js'

export interface ActionsView {
  readonly name: string
  readonly key: string
  readonly plural: string
  readonly imports: readonly string[]
  readonly actions: readonly { readonly name: string; readonly parameters: string }[]
  readonly getters: readonly { readonly name: string; readonly parameters: string }[]
}

export function actionsView(entity: Entity, project: Surroundings): ActionsView {
  const { actions = [], getters = [] } = actionsFact.of(entity, project) ?? {}
  return {
    name: entity.name,
    key: entity.key,
    plural: entity.plural,
    imports: ['ActionsFor', `${entity.name}Actions as Declared`, `${entity.name}Model`],
    actions: actions.map(({ name, on, input }) => {
      const subject = on === 'none' ? [] : [on === 'one' ? '_record' : '_records']
      const sent = input.length === 0 ? [] : ['_input']
      return { name, parameters: ['_context', ...subject, ...sent].join(', ') }
    }),
    getters: getters.map(({ name, on }) => ({
      name,
      parameters: on === 'one' ? '_context, _record' : '_context',
    })),
  }
}

/** The type of what `app/Actions` has to answer, for `app/Models.ts`. */
export function declaredType(entity: Entity, project: Surroundings): readonly string[] {
  const said = actionsFact.of(entity, project)
  if (said === null) return []
  const { actions, getters } = said
  const action = (each: DeclaredAction) =>
    `    ${each.name}: { on: '${each.on}'; input: ${inputType(each.input)} }`
  return [
    `/** What app/Actions/${entity.name}Actions.ts answers of ${remark(entity.plural)}. */`,
    `export interface ${entity.name}Actions {`,
    ...(actions.length === 0 ? ['  actions: {}'] : ['  actions: {', ...actions.map(action), '  }']),
    ...(getters.length === 0
      ? ['  getters: {}']
      : [
          '  getters: {',
          ...getters.map(
            ({ name, on, answer = 'unknown' }) => `    ${name}: { on: '${on}'; answer: ${answer} }`,
          ),
          '  }',
        ]),
    '}',
    '',
  ]
}

/** `{ at: string | null }`; what may be left out has its default by then, or is null. */
export function inputType(input: readonly Column[]): string {
  if (input.length === 0) return '{}'
  return `{ ${input.map((column) => `${property(column.name)}: ${columnType(column)}`).join('; ')} }`
}
