import type { BaseContext, CommandClass } from 'clipanion'
import type { Feature } from '../write/feature.js'

/** The streams and the folder of a command. */
export interface SvcContext extends BaseContext, Pick<CommandLine, 'features' | 'exitCodes'> {
  /** The project is here. */
  readonly cwd: string
}

export type Features = readonly Feature[]

/**
 * The features' part of the command line. `svc help` loads it all, so each command loads its work
 * only when it runs.
 */
export interface CommandLine {
  readonly commands: readonly CommandClass<SvcContext>[]
  /** The files that `svc publish` brings into a project, by tag. */
  readonly tags: Readonly<Record<string, Published>>
  readonly exitCodes: readonly CommandExitCode[]
  /** Loads what features do besides. */
  readonly features: () => Promise<Features>
}

export interface Published {
  readonly title: string
  readonly paths: readonly string[]
}

/** An exit code that means something of its own in one command. */
export interface CommandExitCode {
  readonly code: 1 | 2
  readonly command: string
  readonly meaning: string
}
