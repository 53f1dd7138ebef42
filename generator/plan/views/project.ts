import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'
import { composeLines, copyLines, exampleLines } from '../texts.js'
import { isLarge } from './fields/large.js'

/** For files that are nearly the same in every project. */
export interface ProjectView {
  readonly name: string
  readonly isSqlite: boolean
  readonly hasAuth: boolean
  /** The files of `runtime/` are in it. */
  readonly ownsRuntime: boolean
  /** package.json asks for the runtime as a tarball in `vendor/`. */
  readonly hasVendor: boolean
  /** package.json asks for svckit by a path, as long as it is not published. */
  readonly isSvckitLocal: boolean
  /** So many repositories that routes are looked up in another way. */
  readonly isLarge: boolean
  /** Variables of the server in compose.yaml, each with its value. */
  readonly composeEnvironment: readonly string[]
  /** Variables of .env.example: below the database's, below all others, and at the end. */
  readonly variables: Readonly<Record<'database' | 'server' | 'apart', readonly string[]>>
  /** Files that the Dockerfile copies. */
  readonly copies: readonly string[]
  readonly slots: Slots
}

export function projectView(project: Project): ProjectView {
  const { name, isSqlite, auth, svckit, runtime, texts } = project
  return {
    name,
    isSqlite,
    hasAuth: auth !== null,
    ownsRuntime: runtime === null,
    hasVendor: runtime !== null && runtime.startsWith('file:'),
    isSvckitLocal: svckit.startsWith('file:'),
    isLarge: isLarge(project),
    composeEnvironment: composeLines(texts, isSqlite),
    variables: {
      database: exampleLines(texts, 'database'),
      server: exampleLines(texts, undefined),
      apart: exampleLines(texts, 'apart'),
    },
    copies: copyLines(texts),
    slots: project.slots,
  }
}
