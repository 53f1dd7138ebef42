import { readdirSync } from 'node:fs'
import { packageFile, packageFolder } from './package-files.js'
import type { Project } from './project.js'
import type { Rendered } from './status.js'
import { hasPivots } from './views/controller.js'
import { hasPasswords } from './views/package.js'
import { hasFolded } from './views/prisma.js'
import { relationsOfUser } from './views/user-relations.js'

interface Feature {
  /** Files below `runtime/` that only projects with this feature get. */
  readonly files: RegExp
  readonly when: (project: Project) => boolean
}

/** What not every project needs; everything else in `runtime/` goes into each. */
const features: readonly Feature[] = [
  { files: /^database\/sqlite\//, when: ({ isSqlite }) => isSqlite },
  { files: /^database\/postgres\//, when: ({ isSqlite }) => !isSqlite },
  { files: /^features\/graphql\/(?!config)/, when: ({ graphql }) => graphql.settings.enabled },
  { files: /^features\/folding\/(fold-stored|prisma)/, when: hasFolded },
  {
    files: /^features\/relations\/routes/,
    when: ({ entities }) => entities.some(({ relations }) => relations.length > 0),
  },
  { files: /^features\/pivots\/(routes|respond)/, when: ({ entities }) => entities.some(hasPivots) },
  { files: /^policy\/no-policy/, when: ({ deleted }) => deleted.size > 0 },
  { files: /^features\/sign-in\/password\.ts$/, when: hasPasswords },
  {
    files: /^features\/sign-in\/config\.ts$/,
    when: ({ auth, saysSignIn = false }) => auth !== null || saysSignIn,
  },
  {
    files: /^features\/sign-in\/user-relations\.ts$/,
    when: (project) => relationsOfUser(project).length > 0,
  },
  {
    files: /^features\/(mail\/|sign-in\/(?!password\.ts|config\.ts|credential-fields))/,
    when: ({ auth }) => auth !== null,
  },
]

const header =
  "// svc's runtime: the same text in every project. Edits here are merged on the next run.\n\n"

const paths = readdirSync(packageFolder('runtime'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .toSorted()

/** The shared part, copied as it stands: only the features this project uses. */
export function runtimeFiles(
  project: Project,
): readonly (Rendered & { readonly source: string })[] {
  const missing = features.filter(({ when }) => !when(project))
  const used = paths.filter((path) => !missing.some(({ files }) => files.test(path)))
  return used.map((path) => ({
    path: `runtime/${path}`,
    content: header + packageFile(`runtime/${path}`),
    owner: 'svc',
    source: 'runtime/',
  }))
}
