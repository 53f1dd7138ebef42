import { ClientCommand } from './client/command.js'
import { GraphqlGenerateCommand, graphqlTags } from './graphql/command.js'
import { OpenapiCommand } from './openapi/command.js'
import {
  PoliciesDiffCommand,
  PoliciesTestCommand,
  WhoCommand,
  WhyCommand,
} from './policy-questions/command.js'
import { AuthCommand, SetupAuthCommand } from './sign-in/command.js'

/** The commands of features. `svc help` loads them all, so each loads its work only when it runs. */
export const featureCommands = [
  AuthCommand,
  SetupAuthCommand,
  GraphqlGenerateCommand,
  OpenapiCommand,
  ClientCommand,
  WhyCommand,
  WhoCommand,
  PoliciesDiffCommand,
  PoliciesTestCommand,
] as const

/** The files that `svc publish` brings into a project, by tag. */
export const featureTags: Readonly<Record<string, Published>> = { ...graphqlTags }

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

export const featureExitCodes: readonly CommandExitCode[] = [
  { code: 1, command: 'why', meaning: 'no' },
  { code: 1, command: 'who', meaning: 'it lists nobody' },
  { code: 1, command: 'policies diff --check', meaning: 'somebody gains access' },
  { code: 1, command: 'policies test', meaning: 'a mutant survived' },
  { code: 2, command: 'openapi', meaning: 'a change breaks clients' },
  { code: 2, command: 'why, who, policies', meaning: 'there is no answer' },
]
