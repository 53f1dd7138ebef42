import { pluralize, singularize } from 'inflection'
import { RESERVED_TABLES, RESERVED_TYPES } from '../../manifest/reserved.js'
import type { Column } from '../types.js'

/** Names of one entity, as `types.ts` describes them. */
export interface EntityNames {
  readonly name: string
  readonly variable: string
  readonly singular: string
  readonly plural: string
  readonly table: string
  /** snake_case singular, whatever `name` became: the stem of foreign keys. */
  readonly stem: string
}

/** Exceptions where the library's rules of English err, or people expect something else. */
const SINGULARS = new Map([
  ['analyses', 'analysis'],
  ['caches', 'cache'],
  ['cookies', 'cookie'],
  ['data', 'data'],
  ['media', 'media'],
  ['staff', 'staff'],
])

/** Words that cannot be the name of a variable in a module. */
const RESERVED_VARIABLES = new Set(
  `arguments async await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let
  new null of package private protected public return static super switch this throw true try
  typeof undefined var void while with yield`.split(/\s+/),
)

/**
 * Types that an emitted file may want beside a row type, by who brings them: the language, the emitted runtime and
 * models, Prisma, features. Nouns such as Event or Image are free: no emitted file speaks of the global.
 */
const RESERVED_NAMES = new Set([
  ...RESERVED_TYPES,
  ...`Array Boolean Date Error Function Map Number Object Partial Promise Record Set String Symbol
  AnyModel Condition CurrentUser Database AppEnv Env Hono Hooks HooksFor Input Many ManyToMany Models One OneOf Page Policy PolicyFor
  Repository Resource Tables
  BigInt Bytes DateTime Decimal Float Int Json Prisma PrismaClient`.split(/\s+/),
])

/** Tables that every server has, or its databases use. */
const DATABASE_TABLES = /^(_prisma_migrations|sqlite_.*|pg_.*)$/i

/** A name that PostgreSQL, Prisma and the schemas of features all allow. */
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]{0,62}$/
const URI_KEY = /^[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*$/
const TYPE_NAME = /^[A-Z][A-Za-z0-9]{0,50}$/

/** Returns the name of a column in the database. */
export const storedName = ({ name, stored = name }: Pick<Column, 'name' | 'stored'>) => stored

/**
 * Returns true for the name of a pivot table: one that is older than svc may be called `Order
 * Details`.
 */
export const isPivotTable = (name: string) => /^[A-Za-z][\w ]{0,62}$/.test(name)

export const isIdentifier = (name: string) => IDENTIFIER.test(name)
export const isUriKey = (key: string) => URI_KEY.test(key) && key.length <= 50
export const isTypeName = (name: string) => TYPE_NAME.test(name) && !RESERVED_NAMES.has(name)
export const isReservedTable = (table: string) =>
  DATABASE_TABLES.test(table) || RESERVED_TABLES.includes(table.toLowerCase())

/** `blog-posts` → `{ name: 'BlogPost', table: 'blog_posts', … }`; a given name replaces the singular. */
export function entityNames(key: string, given?: string): EntityNames {
  const plural = pluralWords(words(key))
  const singular = given === undefined ? singularWords(plural) : words(given)
  const name = pascal(singular)
  const variable = camel(singular)
  return {
    name: given ?? (RESERVED_NAMES.has(name) ? `${name}Entity` : name),
    variable: RESERVED_VARIABLES.has(variable) ? `${variable}Entity` : variable,
    singular: singular.join(' '),
    plural: plural.join(' '),
    table: plural.join('_'),
    stem: singular.join('_'),
  }
}

/** `company_user` → `CompanyUser`, `taggables` → `Taggable`. */
export function pivotName(table: string): string {
  const name = pascal(singularWords(words(table)))
  return RESERVED_NAMES.has(name) ? `${name}Entity` : name
}

/** The pivot table two repositories: both stems in alphabetical order. */
export const pivotTable = (one: string, other: string) => [one, other].toSorted().join('_')

/** `taggable` → `taggables`. */
export const morphTable = (name: string) => pluralWords(words(name)).join('_')

/** `image` → `imageable`, `tag` → `taggable`: what a morph is called when the manifest does not say. */
export const morphName = (stem: string) =>
  `${stem.replace(/(^|_)([^aeiou_]*[aeiou])([bdgmnpt])$/, '$1$2$3$3')}able`

export const foreignKey = (name: string) => `${snakeCase(name)}_id`

/** `friends` → `friend`: the stem of a key that is named after a relation. */
/** Returns the key that lists the ids of a relation: `comment_ids`. */
export const idsName = (relation: string) => `${singularOf(relation)}_ids`

export const singularOf = (name: string) => singularWords(words(name)).join('_')

/** `adminUsers` and `admin-users` → `AdminUsers`, as in the policy method `attachAdminUsers`. */
export const studly = (name: string) => pascal(words(name))

/** `blog_posts` → `BlogPosts`, as the runtime names the methods (`Studly` in runtime/features/pivots/pivot-types.ts). */
export const suffixOf = (key: string) =>
  key
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `admin-users` → `adminUsers`; it may be a word that no variable can be called. */
export const camelCase = (name: string) => camel(words(name))

export const isReservedVariable = (name: string) => RESERVED_VARIABLES.has(name)

export const snakeCase = (name: string) => words(name).join('_')

/** The keys a relation called `name` may mean, best first: itself, its plural, and both in kebab-case. */
export function guessKeys(name: string): readonly string[] {
  const parts = words(name)
  const plural = pluralWords(parts)
  return [...new Set([name, plural.join('_'), plural.join('-'), parts.join('-'), camel(plural)])]
}

function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
}

const changeLast = (parts: readonly string[], change: (word: string) => string) =>
  parts.map((word, index) => (index === parts.length - 1 ? change(word) : word))

const singularWords = (parts: readonly string[]) => changeLast(parts, singularWord)
const pluralWords = (parts: readonly string[]) =>
  changeLast(parts, (word) => (isPlural(word) ? word : pluralize(word)))

const singularWord = (word: string) => SINGULARS.get(word) ?? singularize(word)
const isPlural = (word: string) => SINGULARS.has(word) || singularWord(word) !== word

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const pascal = (parts: readonly string[]) => parts.map(capital).join('')
const camel = (parts: readonly string[]) =>
  parts.map((word, index) => (index === 0 ? word : capital(word))).join('')
