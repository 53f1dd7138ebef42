import {
  buildSchema,
  defaultFieldResolver,
  defaultTypeResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  validateSchema,
} from 'graphql'
import { unauthenticated } from '../../errors.js'
import { getOwn } from '../../model/get-own.js'
import type { AnyRepository } from '../../operations/repository.js'
import { SetupError } from '../../setup-error.js'
import { idsOf, resolverOf } from './directives.js'
import { isResource, readMember } from './read-member.js'
import { memberOf, type Member, type RecordType, setRecordType } from './record-type.js'
import type { FieldResolver, GraphqlContext, ResolverClass } from './resolver.js'
import { answerOnce } from './root.js'
import { standardResolver } from './default-resolver.js'

export interface SchemaOptions {
  /** Text of the schema file, and its path for messages. */
  readonly text: string
  readonly path: string
  /** Repositories by the name of their type. */
  readonly repositories: Readonly<Record<string, AnyRepository>>
  /** Resolver classes by name; repositories without one get the standard one. */
  readonly resolvers: Readonly<Record<string, ResolverClass<never>>>
  /** Root fields need a signed-in user, except reads of public repositories and the fields named. */
  readonly requiresToken: boolean
  readonly publicFields: readonly string[]
}

/**
 * The schema file with resolvers: a field is answered by what its `@field` names, a field of a
 * record's type without one by the record. A name that is not there stops the start.
 */
export function executableSchema(options: SchemaOptions): GraphQLSchema {
  const schema = readSchema(options)
  const problems: string[] = []
  for (const [name, repository] of Object.entries(options.repositories)) {
    const type = schema.getType(name)
    if (isObjectType(type)) setRecordType(type, recordType(type, repository))
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType()
    for (const field of Object.values(type.getFields())) {
      const problem = attach(options, type, field, isRoot)
      if (problem !== null) problems.push(problem)
    }
  }
  tellRecordsApart(schema, options)
  problems.push(...unknownPublicFields(options, schema))
  if (problems.length > 0)
    throw new SetupError([`${options.path} is wrong:`, ...problems].join('\n'))
  return schema
}

function readSchema({ text, path }: SchemaOptions): GraphQLSchema {
  const schema = parsed(text, path)
  const wrong = validateSchema(schema).map(({ message }) => `  ${message}`)
  if (wrong.length > 0) throw new SetupError([`${path} is wrong:`, ...wrong].join('\n'))
  return schema
}

function parsed(text: string, path: string): GraphQLSchema {
  try {
    return buildSchema(text)
  } catch (error) {
    throw new SetupError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** A record in a union or behind an interface is of its repository's type. */
function tellRecordsApart(schema: GraphQLSchema, { repositories }: SchemaOptions): void {
  const names = new Map(
    Object.entries(repositories).map(([name, { definition }]) => [definition.key, name]),
  )
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isAbstractType(type)) continue
    type.resolveType = (value, context, info, abstract) => {
      const name = isResource(value) ? names.get(value.type) : undefined
      return name ?? defaultTypeResolver(value, context, info, abstract)
    }
  }
}

function recordType(type: GraphQLObjectType, repository: AnyRepository): RecordType {
  const members = new Map<string, Member>()
  for (const field of Object.values(type.getFields())) {
    if (resolverOf(field.astNode) !== null) continue
    const member = memberOf(repository, field, idsOf(field.astNode))
    if (member !== null) members.set(field.name, member)
  }
  return { repository, members }
}

/** Gives a field its resolver; returns what is wrong, or null. */
function attach(
  options: SchemaOptions,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  isRoot: boolean,
): string | null {
  const name = resolverOf(field.astNode)
  if (name === null) {
    const record = getOwn(options.repositories, type.name)
    if (record !== undefined) field.resolve = readMember(type, field)
    else if (isRoot) return notAnswered(type, field)
    return null
  }
  const [className = '', method = ''] = name.split('@')
  const found = classNamed(options, className)
  if (found === undefined) return unknownClass(options, type, field, name)
  const resolver = methodOf(found, method)
  if (resolver === undefined) return unknownMethod(found, className, type, field, name)
  const isRead = isRoot && isPublicRead(options, type, field, name)
  const isGuarded = isRoot && options.requiresToken && !isRead
  const isOpen = !isGuarded || options.publicFields.includes(field.name)
  const answering = isOpen ? resolver : guarded(resolver)
  // The context is made by the endpoint.
  field.resolve = (isRoot ? once(answering) : answering) as typeof defaultFieldResolver
  return null
}

/** A field that answers records of a public repository, or their number, as it is generated. */
function isPublicRead(
  { repositories }: SchemaOptions,
  { name: root }: GraphQLObjectType,
  { type }: Field,
  name: string,
): boolean {
  const [className = '', method = ''] = name.split('@')
  const record = className.replace(/Resolver$/, '')
  if (root !== 'Query' || getOwn(repositories, record)?.definition.isPublic !== true) return false
  const answered = getNamedType(type).name
  return method === 'total' ? answered === 'Int' : isRecordRead(method) && answered === record
}

const isRecordRead = (method: string) => method === 'show' || method === 'index'

/** A query that turns out to need the executor does not run its resolvers again. */
const once =
  (resolver: FieldResolver): FieldResolver =>
  (root, args, context, info) =>
    answerOnce(root, String(info.path.key), () => resolver(root, args, context, info))

/** An object, a class with static methods, or an object of a class: its method, bound to it. */
function methodOf(found: ResolverClass, name: string): FieldResolver | undefined {
  return methodsOf(found).includes(name) ? found[name]?.bind(found) : undefined
}

function methodsOf(found: ResolverClass): readonly string[] {
  const names: string[] = []
  for (
    let at: object | null = found;
    at !== null && !ends.has(at);
    at = Object.getPrototypeOf(at)
  ) {
    names.push(...Object.getOwnPropertyNames(at))
  }
  const methods = names.filter((name) => typeof Reflect.get(found, name) === 'function')
  return [...new Set(methods)].filter((name) => name !== 'constructor')
}

/** What every object and every class inherits is no resolver. */
const ends: ReadonlySet<object> = new Set([Object.prototype, Function.prototype])

const guarded =
  (resolver: FieldResolver): FieldResolver =>
  (root, args, context: GraphqlContext, info) => {
    if (context.user === null) throw unauthenticated()
    return resolver(root, args, context, info)
  }

function classNamed(
  { resolvers, repositories }: SchemaOptions,
  name: string,
): ResolverClass | undefined {
  const given = getOwn(resolvers, name)
  // Its methods get the user that the endpoint gives, which is theirs.
  if (given !== undefined) return given as ResolverClass
  const repository = getOwn(repositories, name.replace(/Resolver$/, ''))
  return name.endsWith('Resolver') && repository !== undefined
    ? standardResolver(repository)
    : undefined
}

type Field = GraphQLField<unknown, unknown>

function unknownClass(
  { resolvers, repositories }: SchemaOptions,
  type: GraphQLObjectType,
  field: Field,
  name: string,
): string {
  const standard = Object.keys(repositories).map((each) => `${each}Resolver`)
  const known = [...new Set([...Object.keys(resolvers), ...standard])].toSorted()
  return problem(
    type,
    field,
    `names '${name}', and there is no class '${name.split('@')[0]}'`,
    known,
  )
}

function unknownMethod(
  found: ResolverClass,
  className: string,
  type: GraphQLObjectType,
  field: Field,
  name: string,
): string {
  const what = `names '${name}', and '${className}' has no method '${name.split('@')[1] ?? ''}'`
  return problem(type, field, what, methodsOf(found))
}

function unknownPublicFields(
  { publicFields }: SchemaOptions,
  schema: GraphQLSchema,
): readonly string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const known = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}))
  return publicFields
    .filter((name) => !known.includes(name))
    .map((name) => `  there is no root field '${name}', which public_fields names`)
}

function notAnswered(type: GraphQLObjectType, field: Field): string {
  const what = 'has no resolver: name one with @field(resolver: "<ResolverClass>@<method>")'
  return `  ${type.name}.${field.name} ${what}`
}

function problem(
  type: GraphQLObjectType,
  { name }: Field,
  what: string,
  known: readonly string[],
): string {
  return `  ${type.name}.${name} ${what}\n    known  ${known.join(', ')}`
}
