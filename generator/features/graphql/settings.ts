import { posix } from 'node:path'
import type { Relation } from '../../blueprint/types.js'
import type { FeatureFacts } from '../../plan/project.js'
import type { CodeNames } from '../../source/code-names.js'

/**
 * Settings of `config/svc-graphql.ts` that the generator reads; the runtime's `config.ts` explains
 * each key.
 */
export interface GraphqlSettings {
  readonly enabled: boolean
  readonly output: {
    readonly path: string
    readonly schema_file: string
    readonly resolvers: boolean
    readonly sort: 'name' | 'manifest'
    readonly descriptions: boolean
  }
  readonly types: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly schema: {
    readonly relations: boolean
    readonly timestamps: boolean
    readonly mutations: boolean
    readonly first: number
    readonly precise: boolean
    readonly ids: Readonly<Record<string, readonly string[]>>
  }
  readonly repositories: {
    readonly only: readonly string[] | null
    readonly except: readonly string[]
    readonly names: Readonly<Record<string, string>>
  }
}

/** Fields of a repository that no permission could show, and that none could write. */
export interface Closed {
  readonly shown: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

/** Facts that GraphQL needs besides the manifest. */
export interface GraphqlFacts {
  readonly settings: GraphqlSettings
  /** By URI key; absent: nothing is closed. */
  readonly closed: ReadonlyMap<string, Closed>
  /** By URI key: what policies and hooks name, where inputs say what is required. */
  readonly code?: ReadonlyMap<string, CodeNames>
}

/**
 * The facts, with the names of the types by URI key; types that the schema leaves out have none.
 */
export interface GraphqlDerived extends GraphqlFacts {
  readonly types: ReadonlyMap<string, string>
}

declare module '../../plan/project.js' {
  interface FeatureFacts {
    /** Absent: as in a new project. */
    readonly graphql?: GraphqlFacts
  }
  interface Derived {
    readonly graphql: GraphqlDerived
  }
}

export const defaultSettings: GraphqlSettings = {
  enabled: true,
  output: {
    path: 'app/GraphQL',
    schema_file: 'schema.graphql',
    resolvers: false,
    sort: 'name',
    descriptions: true,
  },
  types: {},
  fields: {},
  schema: {
    relations: true,
    timestamps: true,
    mutations: true,
    first: 15,
    precise: false,
    ids: {},
  },
  repositories: { only: null, except: [], names: {} },
}

/** The settings of a project. */
export const settingsIn = ({ graphql }: FeatureFacts): GraphqlSettings =>
  graphql?.settings ?? defaultSettings

type Data = Readonly<Record<string, unknown>>

/** The settings a config means: what it leaves out, or gives a value of another type, is as usual. */
export function readSettings(config: Data): GraphqlSettings {
  const output = filled(defaultSettings.output, config['output'])
  const { only, ...repositories } = filled(
    { ...defaultSettings.repositories, only: [] as readonly string[] },
    config['repositories'],
  )
  const isLimited = isData(config['repositories']) && Array.isArray(config['repositories']['only'])
  return {
    ...filled({ enabled: true, types: {}, fields: {} }, config),
    output: { ...output, path: cleanFolder(output.path) },
    schema: filled(defaultSettings.schema, config['schema']),
    repositories: { ...repositories, only: isLimited ? only : null },
  }
}

/** A folder as paths of the plan begin with it: `./app//GraphQL/` is `app/GraphQL`. */
export function cleanFolder(path: string): string {
  const clean = posix.normalize(path.replaceAll('\\', '/')).replace(/\/+$/, '')
  return clean === '' ? '.' : clean
}

function filled<Settings extends object>(defaults: Settings, given: unknown): Settings {
  if (!isData(given)) return defaults
  const values = Object.entries(defaults).map(([key, value]: [string, unknown]) => {
    const found = given[key]
    return [key, typeof found === typeof value ? found : value]
  })
  return Object.fromEntries(values) as Settings // the keys and types of the defaults
}

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null

/** Returns true if a repository is part of the schema. */
export function isInSchema(
  { repositories: { only, except } }: GraphqlSettings,
  key: string,
): boolean {
  return (only === null || only.includes(key)) && !except.includes(key)
}

/** A hyphen cannot stand in a name of GraphQL. */
export const memberName = (key: string) => key.replaceAll('-', '_')

export const isToMany = ({ kind }: Relation) => /Many$/.test(kind)
