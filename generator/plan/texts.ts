/** A feature's texts in README.md, AGENTS.md, .env.example, compose.yaml and the Dockerfile. */
export interface Texts {
  readonly variables?: readonly Variable[]
  /** Rows of README.md about what to change, and where. */
  readonly changes?: readonly ChangeRow[]
  /** Rows of README.md about requests. */
  readonly routes?: readonly RouteRow[]
  /** Files that are the developer's; in AGENTS.md. */
  readonly ownFiles?: readonly { readonly files: string; readonly so: string }[]
  /** Files and folders that the server reads besides its build; in the Dockerfile. */
  readonly reads?: readonly string[]
  /** Only GraphQL pages otherwise than `defaultPerPage` says. */
  readonly pageSize?: string
  /** Lines of README.md on what there is to run; only a trash needs that. */
  readonly operate?: readonly string[]
  /** Lines of README.md on how policies are reviewed; only the tests of authorization have that. */
  readonly review?: readonly string[]
}

/** A variable of the environment. */
export interface Variable {
  readonly name: string
  /** In .env.example, where it is commented out. */
  readonly value?: string
  /** Lines above it there. */
  readonly remarks?: readonly string[]
  /** `apart`: at the end, below an empty line. */
  readonly place?: 'database' | 'apart'
  /** Production needs it; says what it is, for who starts compose.yaml without it. */
  readonly needed?: string
  /** Variables that a shell sets, where README.md starts the server of production. */
  readonly sample?: string
}

export interface ChangeRow {
  readonly what: string
  readonly where: string
  /** A command, which makes it so. */
  readonly then?: string
  /** It stands below the row of policies. */
  readonly isOfPolicies?: true
}

export interface RouteRow {
  readonly route: string
  readonly what: string
  /** Below those of all other features. */
  readonly isLast?: true
}

const variablesOf = (texts: readonly Texts[]) => texts.flatMap(({ variables = [] }) => variables)

/** The lines of .env.example at one place. */
export function exampleLines(
  texts: readonly Texts[],
  place: Variable['place'] | undefined,
): readonly string[] {
  return texts.flatMap(({ variables = [] }) => {
    const here = variables.filter((variable) => variable.place === place)
    const lines = here.flatMap(({ name, value = '', remarks = [] }) =>
      [...remarks, `${name}=${value}`].map((line) => `# ${line}`),
    )
    return place === 'apart' && lines.length > 0 ? ['', ...lines] : lines
  })
}

/** The environment of the server in compose.yaml: what .env.example names, but for what compose.yaml decides itself. */
export function composeLines(texts: readonly Texts[], isSqlite: boolean): readonly string[] {
  const there = variablesOf(texts).filter(({ place }) => !isSqlite || place !== 'database')
  const isNeeded = ({ needed }: Variable) => needed !== undefined
  const needed = there
    .filter(isNeeded)
    .map(({ name, needed: what }) => `${name}: \${${name}:?${what}}`)
    .toSorted()
  const own = ['APP_URL', 'LOG_LEVEL', 'MIGRATE_ON_START', ...(isSqlite ? [] : ['DATABASE_POOL'])]
  const others = ['database', undefined, 'apart'].flatMap((place) =>
    there.filter((each) => each.place === place && !isNeeded(each)).map(({ name }) => name),
  )
  // Empty counts as unset.
  const passed = [...new Set([...own, ...others])].map((name) => `${name}: \${${name}:-}`)
  return [...needed, ...passed]
}

/** `APP_KEY=$(openssl rand -hex 32)` */
export const sampleSettings = (texts: readonly Texts[]): readonly string[] =>
  variablesOf(texts).flatMap(({ name, sample }) =>
    sample === undefined ? [] : `${name}=${sample}`,
  )

export function changeRows(texts: readonly Texts[], isOfPolicies: boolean): readonly string[] {
  return texts
    .flatMap(({ changes = [] }) => changes)
    .filter((row) => (row.isOfPolicies ?? false) === isOfPolicies)
    .map(
      ({ what, where, then }) => `| ${what} | ${where} | ${then === undefined ? '' : `${then} `}|`,
    )
}

export function routeRows(texts: readonly Texts[]): readonly string[] {
  const rows = texts.flatMap(({ routes = [] }) => routes)
  const ordered = [...rows.filter((row) => !row.isLast), ...rows.filter((row) => row.isLast)]
  return ordered.map(({ route, what }) => `| ${route} | ${what} |`)
}

export const ownFileRows = (texts: readonly Texts[]): readonly string[] =>
  texts.flatMap(({ ownFiles = [] }) =>
    ownFiles.map(({ files, so }) => `| ${files} | yours | ${so} |`),
  )

/** `COPY --from=build /server/app/GraphQL ./app/GraphQL`; a file goes into its folder. */
export const copyLines = (texts: readonly Texts[]): readonly string[] =>
  texts
    .flatMap(({ reads = [] }) => reads)
    .map((path) => {
      const isFile = /\.\w+$/.test(path)
      return `COPY --from=build /server/${path} ./${isFile ? path.replace(/[^/]+$/, '') : path}`
    })
