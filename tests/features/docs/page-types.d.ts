/**
 * What the names of the page `/docs` mean: `check-page.ts` gives a parameter the type of its name here. The page itself says no
 * types, for they would be a tenth of its bytes.
 */
declare interface PageTypes {
  // What the page is made of.
  model: Model
  operation: Operation
  route: Route
  resource: Resource
  resources: Resource[]
  operations: Operation[]
  relation: Relation
  relations: Relation[]
  fields: Field[]
  field: Field
  byKey: Map<string, Resource>
  byTag: Map<string, Operation[]>
  follow: Follow
  schema: Schema
  schemas: Record<string, Schema>
  attributes: Record<string, Schema>
  edges: Edge[]

  // What the API answers.
  record: RecordOf
  answer: Answer
  list: ListOf
  context: ContextOf
  asked: Asked
  parent: ParentOf
  rights: Rights
  closed: Rights['closed']
  matches: Resource['matches']
  filters: Filter[]
  found?: Asks
  match: Match
  state: State
  change: Change
  changed: () => void
  data: RecordOf[]
  users: { id: string | null; name: string }[]
  methods: { method: string; answers: PolicyAnswer[] }[]
  perRecord: string[]

  // Elements.
  place: HTMLElement
  content: HTMLElement
  results: HTMLElement
  result: HTMLElement
  event?: KeyboardEvent & { currentTarget: HTMLFormElement; target: HTMLInputElement }
  again: () => void

  // Words.
  body?: string
  key: string
  name: string
  id: string
  path: string
  method: string
  verb: string
  title: string
  label: string
  text: string
  href: string
  kind: string
  column: string
  prefix: string
  description: string
  trashed: string
  isRequired: boolean
  isNullable: boolean
  isNear: boolean
  isOwn: boolean
  isLong: boolean
  mustKeep: boolean
  isDevelopment: boolean
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of a server, and values of inputs
type Anything = any

type Follow = (schema: Schema | undefined) => Schema

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  title?: string
  description?: string
  items?: Schema
  maxItems?: number
  minItems?: number
  maxLength?: number
  minLength?: number
  minimum?: number
  maximum?: number
  required?: string[]
  properties?: Record<string, Schema>
  allOf?: Schema[]
  anyOf?: Schema[]
  examples?: Record<string, unknown>[]
  'x-title'?: string
  'x-placeholder'?: string
  'x-column'?: string
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  name: string
  in: string
  schema: Schema
  description?: string
  style?: string
}

interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  tag: string
  parameters: Parameter[]
  body: Schema | null
  responses: Record<string, Schema>
  security: Record<string, unknown>[]
  isDestructive: boolean
}

/** Of a repository, or of a form. */
interface Field {
  name: string
  input: Schema
  isRequired: boolean
  target: string | null
  schema?: Schema
  isShown?: boolean
  canStore?: boolean
  canPatch?: boolean
}

interface PolicyAnswer {
  answers: string
  words?: string
  sql?: string
  parameters?: unknown[]
}

interface Relation {
  name: string
  targets: string[]
  isMany: boolean
  pivot: string[] | null
  description: string
  column: string | null
}

interface Resource {
  body?: string
  key: string
  name: string
  path: string
  description: string
  title: string | undefined
  actions: {
    index: Operation
    store: Operation | null
    show: Operation | null
    patch: Operation | null
    delete: Operation | null
    restore: Operation | null
    force: Operation | null
    asks: Operation | null
  }
  fields: Field[]
  relations: Relation[]
  sorts: string[]
  matches: Match[]
  filters: Filter[]
  canSearch: boolean
  hasFile: boolean
  operations: Operation[]
}

/** What lists are asked by; words for people where the server says them. */
interface Filter {
  name: string
  schema: Schema
  label?: string
  description?: string
  placeholder?: string
  repository?: string
  isOwn?: boolean
}

interface Match extends Filter {
  canNegate: boolean
  compared: Parameter[]
}

/** The answer of `/filters`, by what is sent. */
interface Asks {
  match: Map<string, Partial<Filter>>
  filter: Map<string, Partial<Filter>>
}

interface Model {
  title: string
  about: string
  operations: Operation[]
  byId: Map<string, Operation>
  byTag: Map<string, Operation[]>
  at: (method: string, path: string) => Operation | null
  follow: Follow
  resources: Resource[]
  byKey: Map<string, Resource>
  signIn: Operation | null
  profile: Operation | null
  signOut: Operation | null
}

interface Route {
  name: string
  parts: string[]
  query: URLSearchParams
}

interface RecordOf {
  id: string
  type: string
  attributes: Record<string, unknown>
  relationships?: Record<string, unknown>
  meta?: Record<string, boolean>
  pivots?: Record<string, unknown>
}

interface Answer {
  status: number
  ok: boolean
  text: string
  file?: Blob
  json: Anything
  ms: number
  statements: string | null
  databaseMs?: string | null
}

/** What the state of a list is, and how it becomes another one. */
type State = () => Record<string, Anything>
type Change = (changes: Record<string, string | number | null>) => void

interface Rights {
  store: boolean
  closed: Record<'see' | 'store' | 'update', string[]>
}

/** The record that others are below. */
interface ParentOf {
  resource: Resource
  id: string
  name: string
  pivot: string[] | null
  attach: ((again: () => void) => HTMLElement) | null
  detach: ((record: RecordOf) => Promise<Answer>) | null
  isHere?: boolean
}

/** A list of records, and what it is asked with. */
interface ListOf {
  model: Model
  resource: Resource
  path: string
  index: Operation
  store: Operation | null
  parent?: ParentOf
  heading?: HTMLElement
  state?: State
  change?: Change
  changed?: () => void
  made?: (record: RecordOf) => void
  names?: Set<string>
  rights?: Rights
  matches?: Resource['matches']
  own?: Filter[]
  prefix?: string
  again?: () => void
  edit?: (record: RecordOf) => void
  detach?: ((record: RecordOf) => Promise<void>) | null
}

/** What an input is made for. */
interface Asked {
  schema: Schema
  value: Anything
  isNullable: boolean
  isRequired: boolean
  id: string
}

/** One record. */
interface ContextOf {
  model: Model
  resource: Resource
  record: RecordOf
  path: string
  place?: HTMLElement
  again?: () => void
  changed?: () => void
  trashed?: string
  rights?: Rights
  closed?: Rights['closed']
}

interface Edge {
  from: string
  to: string
  relation: Relation
}
