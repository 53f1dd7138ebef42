import type { z } from 'zod'
import type { Database } from '../../database/types.js'
import { notFound } from '../../errors.js'
import type { Entity, Extension, OwnOperation } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { AnyRepository } from '../../operations/repository.js'
import { notWritten } from './not-written.js'

declare module '../../model/policy-and-hooks.js' {
  interface Questions {
    /** Who may run an action. */
    readonly [method: `run${string}`]: true
    /** Who may ask a getter. */
    readonly [method: `get${string}`]: true
  }
}

declare module '../../model/operations.js' {
  interface Operations {
    readonly [method: `run${string}`]: true
    readonly [method: `get${string}`]: true
  }
}

/** An action as the manifest declares it; the file of its repository passes it on. */
export interface DeclaredAction {
  readonly on: 'many' | 'one' | 'none'
  readonly label?: string
  readonly description?: string
  readonly destructive?: boolean
  /** The rules of what it is sent. */
  readonly input?: Readonly<Record<string, z.core.$ZodType>>
  /** Values of what a request leaves out; null where there is none. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** What it is sent, as JSON Schema. */
  readonly schema?: object
}

export interface DeclaredGetter {
  readonly on: 'one' | 'none'
  readonly label?: string
  readonly description?: string
}

interface Declared {
  readonly actions?: Readonly<Record<string, DeclaredAction>>
  readonly getters?: Readonly<Record<string, DeclaredGetter>>
}

/** The file of app/Actions: its types were checked where it is written. */
interface Answers {
  readonly actions?: object | undefined
  readonly getters?: object | undefined
}

/** What the code of an action gets besides the user and the records. */
interface Project {
  readonly database: Database
  readonly db: object
  /** Called late: repositories name this extension. */
  readonly repositories: () => Promise<Readonly<Record<string, AnyRepository>>>
}

/** The actions and getters of a repository, and the code that answers them. */
export interface OwnActions {
  readonly actions: Readonly<Record<string, DeclaredAction>>
  readonly getters: Readonly<Record<string, DeclaredGetter>>
  readonly answers: Answers
  readonly project: Project
}

const known = new WeakMap<Extension, OwnActions>()

/**
 * For a repository: the actions and getters of the manifest, which app/Actions answers.
 * @example extensions: [actions(PostActions, { actions: { publish: { on: 'many' } } })]
 */
export const actionsOf =
  (project: Project) =>
  (answers: Answers, { actions = {}, getters = {} }: Declared): Extension => {
    const extension: Extension = { operations: operationsOf(actions, getters) }
    known.set(extension, { actions, getters, answers, project })
    return extension
  }

/** Those on one record: `svc why`, `svc who` and the test of policies ask about them, too. */
const operationsOf = (
  actions: OwnActions['actions'],
  getters: OwnActions['getters'],
): readonly OwnOperation[] => [
  ...Object.entries(actions).flatMap(([name, { on }]) =>
    on === 'none' ? [] : operation('POST', runQuestion(name), `actions/${name}`),
  ),
  ...Object.entries(getters).flatMap(([name, { on }]) =>
    on === 'none' ? [] : operation('GET', getQuestion(name), `getters/${name}`),
  ),
]

const operation = (
  method: OwnOperation['method'],
  name: OwnOperation['name'],
  path: string,
): OwnOperation => ({ name, method, path, status: 200, finding: (access) => access })

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The method of the policy that says who may run an action. */
export const runQuestion = (name: string): OwnOperation['name'] => `run${capitalized(name)}`

/** The method of the policy that says who may ask a getter. */
export const getQuestion = (name: string): OwnOperation['name'] => `get${capitalized(name)}`

const nothing: Pick<OwnActions, 'actions' | 'getters'> = { actions: {}, getters: {} }

/** The actions and getters of a repository; it may have none. */
export const declaredOf = (entity: Entity): Pick<OwnActions, 'actions' | 'getters'> =>
  ownOf(entity) ?? nothing

const ownOf = ({ extensions }: Entity): OwnActions | undefined =>
  extensions.flatMap((each) => known.get(each) ?? [])[0]

/** Code of app/Actions. */
type Answer = (context: object, ...given: unknown[]) => unknown

/** An action, with its code. */
export interface Runnable {
  readonly name: string
  readonly declared: DeclaredAction
  readonly project: Project
  readonly run: Answer
}

export interface Gettable {
  readonly name: string
  readonly declared: DeclaredGetter
  readonly project: Project
  readonly get: Answer
}

/** Finds an action by its name; 404: there is none. */
export function actionNamed(entity: Entity, name: string): Runnable {
  const own = ownOf(entity)
  const declared = getOwn(own?.actions, name)
  if (own === undefined || declared === undefined) throw notFound()
  return { name, declared, project: own.project, run: answerIn(own.answers.actions, name) }
}

/** Finds a getter by its name; 404: there is none. */
export function getterNamed(entity: Entity, name: string): Gettable {
  const own = ownOf(entity)
  const declared = getOwn(own?.getters, name)
  if (own === undefined || declared === undefined) throw notFound()
  return { name, declared, project: own.project, get: answerIn(own.answers.getters, name) }
}

/** Bound, because the answers may be an instance of a class. */
function answerIn(answers: object | undefined, name: string): Answer {
  const found = (answers as Readonly<Record<string, Answer>> | undefined)?.[name]
  return found === undefined ? () => notWritten(name) : found.bind(answers)
}
