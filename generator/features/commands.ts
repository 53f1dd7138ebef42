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

/** Commands of features. `svc help` loads them all, so each loads what it does when it is run. */
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

/** What `svc publish` brings into a project, by its tag. */
export const featureTags: Readonly<Record<string, Published>> = { ...graphqlTags }

export interface Published {
  readonly title: string
  readonly paths: readonly string[]
}

/** What the exit code 2 of their commands means. */
export const pendingOf: readonly string[] = [
  'of openapi: clients would break',
  'of why, who and policies: it cannot be asked',
]
