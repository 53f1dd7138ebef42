import { columnsOf, type Context, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { namesIn, namesInEveryFile } from '../../blueprint/fields/computed.js'
import { fieldColumns } from '../../blueprint/fields/fields.js'
import {
  aRecord,
  aSentence,
  aTruth,
  checkOptions,
  isRecord,
  oneOf,
  show,
  type Shapes,
} from '../../blueprint/fields/shapes.js'
import { singularOf, studly } from '../../blueprint/names/names.js'
import type { Finding, Path } from '../../blueprint/problems.js'
import type { Column } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import type { ActionOn } from './words.js'

// Types, and no interfaces: they are JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type DeclaredAction = {
  readonly name: string
  readonly on: ActionOn
  readonly input: readonly Column[]
  readonly isDestructive: boolean
  readonly label?: string
  readonly description?: string
}

// oxlint-disable-next-line typescript/consistent-type-definitions
export type DeclaredGetter = {
  readonly name: string
  readonly on: 'one' | 'none'
  /** TypeScript of its answer; absent: anything. */
  readonly answer?: string
  readonly label?: string
  readonly description?: string
}

// oxlint-disable-next-line typescript/consistent-type-definitions
export type DeclaredActions = {
  readonly actions: readonly DeclaredAction[]
  readonly getters: readonly DeclaredGetter[]
}

const anAction = { says: 'an object of actions', example: '{ publish: action() }', holds: isRecord }
const aGetter = { says: 'an object of getters', example: '{ stats: getter() }', holds: isRecord }

/** Checks the actions and getters of repositories, which `app/Actions` answers. */
export const actionsCheck: FeatureCheck = {
  repositoryOptions: { actions: anAction, getters: aGetter },
  facts: (_, context) => {
    for (const finding of sameFields(context.drafts)) context.report(finding)
    const all = context.drafts.flatMap((draft) => {
      const said = declaredIn(draft, context)
      return said === null ? [] : [[draft.key, said] as const]
    })
    return all.length === 0 ? undefined : (Object.fromEntries(all) as never) // JSON, see the types
  },
}

/** Reads a repository's actions and getters from the blueprint; null: it has none. */
export const actionsFact = factOf<DeclaredActions>('actions')

/** The method of the policy that says who may run an action: `runPublish`. */
export const runMethod = (name: string) => `run${capitalized(name)}`

/** The method of the policy that says who may ask a getter: `getStats`. */
export const getMethod = (name: string) => `get${capitalized(name)}`

/** As TypeScript's `Capitalize` has it, by which the types of policies name these methods. */
export const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function declaredIn(draft: EntityDraft, context: Context): DeclaredActions | null {
  const { actions = {}, getters = {} } = draft.definition
  const names = [...Object.keys(actions), ...Object.keys(getters)]
  if (names.length === 0) return null
  for (const finding of takenWords(draft)) context.report(finding)
  for (const finding of sameNames(draft)) context.report(finding)
  return {
    actions: Object.entries(actions).flatMap(([name, value]) =>
      actionOf(draft, name, value, context),
    ),
    getters: Object.entries(getters).flatMap(([name, value]) =>
      getterOf(draft, name, value, context),
    ),
  }
}

const texts: Shapes = { label: aSentence, description: aSentence }

const actionOptions: Shapes = {
  on: oneOf('many', 'one', 'none'),
  input: aRecord,
  destructive: aTruth,
  ...texts,
}

const getterOptions: Shapes = { on: oneOf('one', 'none'), ...texts }

function actionOf(
  draft: EntityDraft,
  name: string,
  value: unknown,
  context: Context,
): readonly DeclaredAction[] {
  const at: Path = [draft.path, 'actions', name]
  const { report } = context
  const written = definitionIn(value, 'action')
  if (written === null) {
    report(notMade(at, name, value, 'action'))
    return []
  }
  if (!isNamed(at, name, 'action', report)) return []
  const of = `action '${name}'`
  const said = checkOptions(written, actionOptions, { at, of, report })
  return [
    {
      name,
      on: (said['on'] ?? 'many') as ActionOn,
      input: inputOf([...at, 'input'], said['input'], context),
      isDestructive: said['destructive'] === true,
      ...textsOf(said),
    },
  ]
}

/** What a request sends has no table, so what is said of a column means nothing. */
function inputOf(at: Path, input: unknown, { report }: Context): readonly Column[] {
  if (!isRecord(input)) return []
  return fieldColumns(input, { at, what: 'input', report }).filter((column) => {
    const wrong = wrongInput(column)
    if (wrong !== null) report({ rule: 'action-input', at: [...at, column.name], ...wrong })
    return wrong === null
  })
}

function wrongInput(column: Column): Pick<Finding, 'message' | 'fix'> | null {
  const { name, kind, unique, readonly, folded, stored, renamedFrom, enumType } = column
  if (storedAs({ kind }).isSecret) {
    return {
      message: `input '${name}' is a password, and only a record of its own keeps one`,
      fix: `${name}: text()`,
    }
  }
  const modifier = unique
    ? '.unique()'
    : readonly
      ? '.readonly(), .hidden() or .generated()'
      : folded !== undefined
        ? '.folded()'
        : stored !== undefined
          ? '.column()'
          : renamedFrom !== undefined
            ? '.renamedFrom()'
            : enumType !== undefined
              ? '.enumType()'
              : null
  if (modifier === null) return null
  return {
    message: `input '${name}' has ${modifier}, and what an action is sent is no column`,
    fix: `leave ${modifier} out`,
  }
}

function getterOf(
  draft: EntityDraft,
  name: string,
  value: unknown,
  context: Context,
): readonly DeclaredGetter[] {
  const at: Path = [draft.path, 'getters', name]
  const { report } = context
  const written = definitionIn(value, 'getter')
  if (written === null) {
    report(notMade(at, name, value, 'getter'))
    return []
  }
  if (!isNamed(at, name, 'getter', report)) return []
  const said = checkOptions(written, getterOptions, { at, of: `getter '${name}'`, report })
  const answer = isRecord(value) ? value['answer'] : undefined
  const isSaid = typeof answer === 'string' && isAnswer(at, name, answer, context)
  const on = said['on'] === 'none' ? 'none' : 'one'
  return [{ name, on, ...(isSaid ? { answer } : {}), ...textsOf(said) }]
}

function isAnswer(at: Path, name: string, answer: string, { drafts, report }: Context): boolean {
  const rows = new Set(drafts.map(({ names }) => names.name))
  const unknown = namesIn(answer).find((each) => !namesInEveryFile.has(each) && !rows.has(each))
  if (unknown === undefined) return true
  report({
    rule: 'answer-type',
    at,
    message: `getter '${name}' answers '${answer}', and '${unknown}' means nothing in app/Models.ts`,
    fix: `write the type out: ${name}: getter<{ … }>()`,
  })
  return false
}

/** A member of the input that each request has to send. */
export const isRequired = ({ nullable, default: preset }: Column): boolean =>
  !nullable && preset === undefined

type Definition = Readonly<Record<string, unknown>>

function definitionIn(value: unknown, type: 'action' | 'getter'): Definition | null {
  const isIt = isRecord(value) && value['type'] === type && isRecord(value['definition'])
  return isIt ? (value['definition'] as Definition) : null
}

const notMade = (at: Path, name: string, value: unknown, type: 'action' | 'getter'): Finding => ({
  rule: 'not-an-action',
  at,
  message: `'${name}' is ${isRecord(value) ? 'an object' : show(value)}, which is not what ${type}() gives`,
  fix: `${name}: ${type}()`,
})

function isNamed(
  at: Path,
  name: string,
  type: 'action' | 'getter',
  report: Context['report'],
): boolean {
  // A module that exports `then` is a promise to whoever imports it.
  if (/^[a-z][a-zA-Z0-9]{0,40}$/.test(name) && !(name in {}) && name !== 'then') return true
  report({
    rule: 'action-name',
    at,
    message: `'${name}' cannot be the name of ${type === 'action' ? 'an action' : 'a getter'}: a name is a lower-case letter, then letters and digits`,
    fix: 'another name: publish, sendInvoice',
  })
  return false
}

function textsOf(said: Definition): { readonly label?: string; readonly description?: string } {
  const { label, description } = said
  return {
    ...(typeof label === 'string' ? { label } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

/** Lists relations whose routes the routes of actions would be mistaken for. */
function takenWords({ path, definition }: EntityDraft): readonly Finding[] {
  return (['action', 'actions', 'getters'] as const)
    .filter((word) => Object.hasOwn(definition.related ?? {}, word))
    .map((word) => ({
      rule: 'actions-taken',
      at: [path, 'related', word],
      message: `'${path}' has actions or getters, and a relation '${word}', whose path below a record is theirs`,
      fix: `another name for the relation: other${capitalized(word)}: hasMany('…')`,
    }))
}

/** Mutations that a repository has anyway, `createPost`. */
const mutations = new Set(['create', 'update', 'delete', 'restore', 'forceDelete', 'upsert'])

/** Queries that it has anyway: `postList`. */
const queries = new Set(['list', 'listTotal', 'aggregate'])

/** Functions of the typed client and mutations about the relations of a record: `attachTags`. */
const verbs = [
  ...['index', 'each', 'pageFrom', 'show', 'store', 'replace', 'patch', 'delete'],
  ...['attach', 'sync', 'detach'],
]

/** Names that would stand for two things: methods of the policy, mutations, or functions of the client. */
function sameNames(draft: EntityDraft): readonly Finding[] {
  const { path, definition, relations } = draft
  const { actions = {}, getters = {} } = definition
  const members = new Set([
    ...columnsOf(draft).map(({ name }) => name),
    ...Object.keys(definition.related ?? {}),
  ])
  const ofRelations = new Map(
    relations.flatMap(({ key }) =>
      [studly(key), studly(singularOf(key))].flatMap((end) =>
        verbs.map((verb) => [verb + end, key] as const),
      ),
    ),
  )
  const seen = new Map<string, string>()
  return [
    ...Object.keys(actions).map((name) => ['actions', name] as const),
    ...Object.keys(getters).map((name) => ['getters', name] as const),
  ].flatMap(([option, name]) => {
    const twin = seen.get(name.toLowerCase())
    const relation = ofRelations.get(name)
    seen.set(name.toLowerCase(), name)
    const why =
      twin !== undefined
        ? `there is a '${twin}' among its actions and getters already`
        : option === 'actions' && mutations.has(name)
          ? `GraphQL has a mutation '${name}' of every repository`
          : relation !== undefined
            ? `'${name}' is what is done with its relation '${relation}'`
            : option === 'getters' && (members.has(name) || queries.has(name))
              ? `GraphQL has a member of that name`
              : null
    if (why === null) return []
    const message = `'${name}' in ${option} of '${path}' is taken: ${why}`
    return [{ rule: 'action-taken', at: [path, option, name], message, fix: 'another name' }]
  })
}

/** Root fields of GraphQL that several repositories would have: `attachPostTags` of two ways. */
function sameFields(drafts: readonly EntityDraft[]): readonly Finding[] {
  const taken = new Map(drafts.flatMap((draft) => usualFields(draft).map((name) => [name, draft])))
  return drafts.flatMap((draft) =>
    ownFields(draft).flatMap(({ field, option, name }) => {
      const other = taken.get(field)
      taken.set(field, draft)
      if (other === undefined || other === draft) return []
      const message = `'${name}' in ${option} of '${draft.path}' is '${field}' in GraphQL, which is a field of '${other.path}' already`
      return { rule: 'action-taken', at: [draft.path, option, name], message, fix: 'another name' }
    }),
  )
}

/** Those that a repository may have anyway. */
function usualFields({ names: { name: type }, relations }: EntityDraft): readonly string[] {
  const one = type.charAt(0).toLowerCase() + type.slice(1)
  const ways = relations.flatMap(({ key }) => [studly(key), type + studly(key)])
  return [
    ...['', 'List', 'ListTotal', 'Aggregate', 'Page', 'Search'].map((end) => one + end),
    ...[...mutations].flatMap((verb) => [verb + type, `${verb}${type}List`]),
    ...['attach', 'sync', 'detach'].flatMap((verb) => ways.map((way) => verb + way)),
  ]
}

/** Those of its actions and getters. */
function ownFields({ key, names: { name: type }, definition }: EntityDraft) {
  const { actions = {}, getters = {} } = definition
  const one = type.charAt(0).toLowerCase() + type.slice(1)
  const isOfNone = (value: unknown) =>
    isRecord(value) && Object(value['definition'])['on'] === 'none'
  return [
    ...Object.entries(actions).flatMap(([name, value]) =>
      (isOfNone(value) ? [name + studly(key)] : [name + type, `${name}${type}List`]).map(
        (field) => {
          return { field, option: 'actions' as const, name }
        },
      ),
    ),
    ...Object.entries(getters).flatMap(([name, value]) =>
      isOfNone(value) ? [{ field: one + capitalized(name), option: 'getters' as const, name }] : [],
    ),
  ]
}
