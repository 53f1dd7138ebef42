import { readFileSync } from 'node:fs'
import { buildSchema, isNonNullType } from 'graphql'
import { getOwn } from '../../model/get-own.js'
import type { Relation } from './decided.js'
import { attemptOf } from './graphql-attempts.js'
import { ask, type Field, type Kind } from './graphql-request.js'
import type { Line } from './line.js'
import type { Outcome } from './outcome.js'
import type { Project } from './project.js'

interface SchemaFile {
  readonly path: string
  readonly schema_file: string
}

/** A line for each root field of the schema file that the endpoint serves. */
export const graphqlLines =
  ({ path, schema_file: file }: SchemaFile) =>
  (project: Project): readonly Line[] => {
    const schema = buildSchema(readFileSync(`${path}/${file}`, 'utf8'))
    const roots = [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const
    return roots.flatMap(([kind, type]) =>
      Object.values(type?.getFields() ?? {})
        .toSorted((one, two) => (one.name < two.name ? -1 : 1))
        .map((field) => lineOf(project, kind, field)),
    )
  }

function lineOf(project: Project, kind: Kind, field: Field): Line {
  const label = `${kind} ${field.name}`
  const given = getOwn(project.own, label)
  if (typeof given === 'string') return { of: 'Your own', label, words: given, attempt: noTrials }
  const of = repositoryOf(project, field)
  const asRest = of === null ? null : actionOf(project, field, of)
  if (of !== null && asRest !== null && given === undefined) {
    return { of, label, words: `as \`${asRest}\``, attempt: noTrials }
  }
  if (given !== undefined || of === null) {
    return { of: of ?? 'Your own', label, attempt: leaving(kind, asGiven(kind, field, given)) }
  }
  // A count is one of a list.
  const isList = kind === 'query' && field.args.every(({ name }) => name !== 'id')
  const about = relationAbout(project, field.name, of)
  const attempt = attemptOf(kind, field, of, about) ?? undecided(label)
  return { of, label, isList, attempt: leaving(kind, attempt) }
}

const noTrials = async () => []

/** The request that tests/roles.ts has for it, or none: then it must do without arguments. */
function asGiven(
  kind: Kind,
  field: Field,
  given: Exclude<Project['own'][string], string> | undefined,
): Line['attempt'] {
  return async (stage) => {
    const isKnown = given !== undefined || !field.args.some(({ type }) => isNonNullType(type))
    if (!isKnown) return undecided(`${kind} ${field.name}`)()
    const scene = await stage.scene()
    const request = typeof given === 'function' ? await given(scene) : (given ?? {})
    return [{ row: [], outcome: await ask(scene, kind, field, request.arguments ?? {}) }]
  }
}

function undecided(label: string): () => Promise<[{ row: readonly string[]; outcome: Outcome }]> {
  const entry = `'${label}': { arguments: { … } }`
  const why = `say with which arguments, in \`own\` of tests/roles.ts: ${entry}`
  return async () => [{ row: [], outcome: { is: 'undecided', why } }]
}

/** A mutation may have changed what the next line is about. */
const leaving =
  (kind: Kind, attempt: Line['attempt']): Line['attempt'] =>
  async (stage) => {
    const trials = await attempt(stage)
    if (kind === 'mutation') stage.leave()
    return trials
  }

/** `@field(resolver: "PostResolver@show")` is about posts; null: the resolver is your own. */
function repositoryOf({ decided }: Project, field: Field): string | null {
  const resolver = resolverOf(field)
  return resolver === null ? null : (decided.types?.[resolver.replace(/Resolver@.*$/, '')] ?? null)
}

/** `PostResolver@show` */
function resolverOf({ astNode }: Field): string | null {
  for (const { name, arguments: given = [] } of astNode?.directives ?? []) {
    const [value] = given.map((each) => each.value)
    if (name.value === 'field' && value?.kind === 'StringValue') return value.value
  }
  return null
}

/** The route of REST that runs the same action, or asks the same getter: there nothing has to be run. */
function actionOf({ decided }: Project, field: Field, of: string): string | null {
  const [, verb, name = '', list = ''] =
    /@(run|get)([A-Z]\w*?)(List)?$/.exec(resolverOf(field) ?? '') ?? []
  if (verb === undefined) return null
  const isIt = (path: string, does: string) => {
    const last = path.slice(path.lastIndexOf('/') + 1)
    return (
      does.startsWith(verb) &&
      [name, name + list].includes(last.charAt(0).toUpperCase() + last.slice(1))
    )
  }
  const [method, path] =
    decided.routes.find(([, at, does, repository]) => repository === of && isIt(at, does)) ?? []
  return method === undefined ? null : `${method} ${path}`
}

/** `attachTags` and `attachPostTags` are about the relation `tags`. */
function relationAbout(
  { decided }: Project,
  name: string,
  of: string,
): readonly [key: string, Relation] | undefined {
  const plain = (text: string) => text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
  const isAbout = ([path, { is }]: readonly [string, Relation]) =>
    is === 'pivot' &&
    path.startsWith(`${of}.`) &&
    plain(name).endsWith(plain(path.slice(of.length)))
  if (!/^(attach|detach|sync)/.test(name)) return undefined
  const about = Object.entries(decided.relations).filter(isAbout)
  // `tags` and `hashtags`: the longer one.
  const [longest] = about.toSorted(([one], [two]) => two.length - one.length)
  return longest === undefined ? undefined : [longest[0].slice(of.length + 1), longest[1]]
}
