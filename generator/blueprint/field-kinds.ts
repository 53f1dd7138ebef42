import type { Column, FieldKind, Match } from './types.js'

/** How the server stores and compares a value. */
export type Storage =
  | 'integer'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'text'
  | 'uuid'
  | 'date'
  | 'dateTime'
  | 'json'
  | 'password'

interface FieldKindRow {
  readonly storage: Storage
  /** The value in a row; `select` and `multiSelect` are narrower. */
  readonly typescript: string
  readonly graphql: string
  readonly prisma: string
  /** PostgreSQL's type, where it is not the one Prisma would take. */
  readonly native?: string
  /** `search` may look into it. */
  readonly isText: boolean
  readonly isSortable: boolean
  readonly match: readonly Match['type'][]
}

const string: FieldKindRow = {
  storage: 'text',
  typescript: 'string',
  graphql: 'String',
  prisma: 'String',
  isText: true,
  isSortable: true,
  match: ['text', 'partial', 'array'],
}
const int: FieldKindRow = {
  storage: 'integer',
  typescript: 'number',
  graphql: 'Int',
  prisma: 'Int',
  isText: false,
  isSortable: true,
  match: ['integer', 'number', 'text', 'between', 'array'],
}
const float: FieldKindRow = {
  ...int,
  storage: 'float',
  graphql: 'Float',
  prisma: 'Float',
  match: ['number', 'between', 'array'],
}
const truth: FieldKindRow = {
  ...int,
  storage: 'boolean',
  typescript: 'boolean',
  graphql: 'Boolean',
  prisma: 'Boolean',
  match: ['boolean'],
}
const instant: FieldKindRow = {
  ...string,
  storage: 'dateTime',
  prisma: 'DateTime',
  native: '@db.Timestamptz(3)',
  isText: false,
  match: ['datetime', 'between'],
}
const json: FieldKindRow = {
  ...string,
  storage: 'json',
  typescript: 'unknown',
  graphql: 'JSON',
  prisma: 'Json',
  isText: false,
  isSortable: false,
  match: [],
}
const uuid: FieldKindRow = {
  ...string,
  storage: 'uuid',
  native: '@db.Uuid',
  isText: false,
  match: ['text', 'array'],
}

/** One row per kind of spec 2.4, and the four that people expect beside them. */
export const FIELD_KINDS: Readonly<Record<FieldKind, FieldKindRow>> = {
  field: string,
  text: string,
  textarea: string,
  number: int,
  integer: int,
  float,
  decimal: { ...float, storage: 'decimal', typescript: 'string', prisma: 'Decimal' },
  boolean: truth,
  toggle: truth,
  date: { ...instant, storage: 'date', native: '@db.Date' },
  dateTime: instant,
  json,
  multiSelect: { ...json, typescript: 'string[]', graphql: '[String!]' },
  email: string,
  password: { ...string, storage: 'password', isText: false, isSortable: false, match: [] },
  uuid,
  select: { ...string, match: ['text', 'array'] },
}

const longest: Partial<Readonly<Record<FieldKind, number>>> = {
  textarea: 65_535,
  json: 1_000_000,
}

/** Characters of text, or of JSON, that has no `.max()`: as the rules of the runtime have it. */
export const longestOf = (kind: FieldKind): number | undefined => longest[kind]

export const isFieldKind = (kind: string): kind is FieldKind => Object.hasOwn(FIELD_KINDS, kind)

export const storageOf = ({ kind }: Pick<Column, 'kind'>): Storage => FIELD_KINDS[kind].storage
