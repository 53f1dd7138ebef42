import {
  buildSchema,
  defaultTypeResolver,
  getNamedType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isObjectType,
  validateSchema,
} from 'graphql'
import { hasGuard, type SvcConfig } from '../../config/server-config.js'
import { unauthenticated } from '../../errors.js'
import { getOwn } from '../../model/get-own.js'
import type { AnyRepository } from '../../operations/repository.js'
import { SetupError } from '../../setup-error.js'
import type { GraphqlConfig } from './config.js'
import { setCounted } from './counted.js'
import { defaultResolver } from './default-resolver.js'
import { idsOf, resolverOf } from './directives.js'
import { listedIn } from './page-type.js'
import { isResource, readMember } from './read-member.js'
import { setInputReader, setRecordType } from './record-type.js'
import { answerOnce } from './request-root.js'
import type { FieldResolver, GraphqlPivots, ReadInput, ResolverClass } from './resolver.js'

export interface SchemaOptions {
  /** Text of the schema file, and its path for messages. */
  readonly text: string
  readonly path: string
  /** Repositories by the name of their type. */
  readonly repositories: Readonly<Record<string, AnyRepository>>
  /** Resolver classes by name; repositories without one get the default one. */
  readonly resolvers: Readonly<Record<string, ResolverClass<never>>>
  /** Behind `auth:` middleware root fields need a user, except reads of public repositories. */
  readonly config: Pick<SvcConfig, 'middleware'>
  /** Reads inputs, where some hold lists of ids (`comment_ids`). */
  readonly readInput?: ReadInput
  /** Attach, sync and detach, where there are many-to-many relations. */
  readonly pivots?: GraphqlPivots
  /** `public_fields`: root fields of your own that need no user either. */
  readonly graphql: Pick<GraphqlConfig, 'public_fields'>
}

/**
 * The schema file with resolvers: a field is answered by what its `@field` names, a field of a
 * record's type without one by the record. A name that is not there stops the start.
 */
export function executableSchema(options: SchemaOptions): GraphQLSchema {
  const { path, repositories, graphql } = options
  const schema = readSchema(options)
  const types = Object.values(schema.getTypeMap())
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const problems: string[] = []
  for (const type of types) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    const repository = getOwn(repositories, type.name)
    if (repository !== undefined) setRecordType(type, repository)
    for (const field of Object.values(type.getFields())) {
      const problem = attachResolver(options, type, field, roots.includes(type))
      if (problem !== null) problems.push(`  ${type.name}.${field.name} ${problem}`)
    }
  }
  const rootFields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}))
  for (const name of graphql.public_fields) {
    if (rootFields.includes(name)) continue
    problems.push(`  there is no root field '${name}', which public_fields names`)
  }
  problems.push(...unreadIds(options, types))
  stopAt(path, problems)
  options.pivots?.setEdgeTypes(schema)
  setInputReader(schema, options.readInput)
  resolveTypesOfRecords(schema, repositories)
  return schema
}

/** Lists of ids that nothing would read. */
function unreadIds({ readInput }: SchemaOptions, types: readonly GraphQLNamedType[]): string[] {
  if (readInput !== undefined) return []
  return types.filter(isInputObjectType).flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, astNode }) => {
      const key = idsOf(astNode)
      if (key === null) return []
      const fix = `name '${key}' in schema.ids of config/svc-graphql.ts, and run svc generate`
      return [`  ${type.name}.${name} is a list of ids that nothing reads: ${fix}`]
    }),
  )
}

function readSchema({ text, path }: SchemaOptions): GraphQLSchema {
  let schema: GraphQLSchema
  try {
    schema = buildSchema(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SetupError(`${path} cannot be read: ${why}`)
  }
  stopAt(
    path,
    validateSchema(schema).map(({ message }) => `  ${message}`),
  )
  return schema
}

function stopAt(path: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new SetupError([`${path} is wrong:`, ...problems].join('\n'))
}

/** A record in a union or behind an interface is of its repository's type. */
function resolveTypesOfRecords(
  schema: GraphQLSchema,
  repositories: SchemaOptions['repositories'],
): void {
  const names = new Map(Object.entries(repositories).map(([name, { key }]) => [key, name]))
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isAbstractType(type)) continue
    type.resolveType = (value, context, info, abstract) => {
      const name = isResource(value) ? names.get(value.type) : undefined
      return name ?? defaultTypeResolver(value, context, info, abstract)
    }
  }
}

/** Gives a field its resolver; returns what is wrong, or null. */
function attachResolver(
  options: SchemaOptions,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  isRoot: boolean,
): string | null {
  const name = resolverOf(field.astNode)
  if (name === null) {
    const isRecord = getOwn(options.repositories, type.name) !== undefined
    if (isRoot && !isRecord) return noResolver
    // The context is made by the endpoint, here and below.
    if (isRecord) field.resolve = readMember(type, field.name) as Resolve
    return null
  }
  const [className = '', method = ''] = name.split('@')
  const found = resolverClassOf(options, className)
  const methods = found === undefined ? null : methodsOf(found)
  const resolver = methods?.includes(method) ? found?.[method]?.bind(found) : undefined
  if (resolver === undefined) {
    const problem = methods
      ? `'${className}' has no method '${method}'`
      : `there is no class '${className}'`
    const known = (methods ?? classNames(options)).join(', ')
    return `names '${name}', and ${problem}\n    known  ${known}`
  }
  const counted = getOwn(options.repositories, className.replace(/Resolver$/, ''))
  if (method === 'total' && counted !== undefined) setCounted(field, () => counted)
  field.resolve = (isRoot ? rootResolver(options, type, field, resolver) : resolver) as Resolve
  return null
}

type Resolve = GraphQLFieldResolver<unknown, unknown>

const noResolver = 'has no resolver: name one with @field(resolver: "<ResolverClass>@<method>")'

/** A class that was given, or the default one of a repository. */
function resolverClassOf(options: SchemaOptions, name: string): ResolverClass | undefined {
  const given = getOwn(options.resolvers, name)
  // Its methods get the user that the endpoint gives, which is theirs.
  if (given !== undefined) return given as ResolverClass
  const repository = getOwn(options.repositories, name.replace(/Resolver$/, ''))
  const isDefault = repository !== undefined && name.endsWith('Resolver')
  if (!isDefault) return undefined
  return defaultResolver(repository)
}

function classNames({ resolvers, repositories }: SchemaOptions): readonly string[] {
  const defaults = Object.keys(repositories).map((name) => `${name}Resolver`)
  return [...new Set([...Object.keys(resolvers), ...defaults])].toSorted()
}

/** Lists the methods of an object, of a class with static methods, or of an object of a class. */
function methodsOf(found: ResolverClass): readonly string[] {
  const names = new Set<string>()
  let object: object | null = found
  // Members that every object or class inherits are no resolvers.
  while (object !== null && object !== Object.prototype && object !== Function.prototype) {
    for (const name of Object.getOwnPropertyNames(object)) names.add(name)
    object = Object.getPrototypeOf(object)
  }
  const isMethod = (name: string) => typeof Reflect.get(found, name) === 'function'
  return [...names].filter((name) => name !== 'constructor' && isMethod(name))
}

/** Asks for a user where one is needed, and runs once however the query is executed. */
function rootResolver(
  options: SchemaOptions,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  resolver: FieldResolver,
): FieldResolver {
  const isOpen =
    !hasGuard(options.config.middleware) ||
    options.graphql.public_fields.includes(field.name) ||
    isPublicRead(options, type, field)
  return (root, args, context, info) =>
    answerOnce(root, String(info.path.key), () => {
      if (!isOpen && context.user === null) throw unauthenticated()
      return resolver(root, args, context, info)
    })
}

/** A field that answers records of a public repository, or counts them, as it is generated. */
function isPublicRead(
  { repositories }: SchemaOptions,
  { name: root }: GraphQLObjectType,
  { type, astNode }: GraphQLField<unknown, unknown>,
): boolean {
  const [className = '', method = ''] = (resolverOf(astNode) ?? '').split('@')
  const record = className.replace(/Resolver$/, '')
  if (root !== 'Query' || getOwn(repositories, record)?.definition.isPublic !== true) return false
  const answered = getNamedType(type).name
  if (method === 'total') return answered === 'Int'
  if (method === 'page') return listedIn(type)?.name === record
  if (method === 'aggregate') return answered === `${record}Aggregate`
  return isRead(method) && answered === record
}

const isRead = (method: string) => method === 'show' || method === 'index'
