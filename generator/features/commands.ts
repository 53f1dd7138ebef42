import type { CommandLine } from '../commands/context.js'
import { ClientCommand } from './client/command.js'
import {
  PoliciesDiffCommand,
  PoliciesTestCommand,
  WhoCommand,
  WhyCommand,
} from './explain/command.js'
import { GraphqlGenerateCommand, graphqlTags } from './graphql/command.js'
import { OpenapiCommand } from './openapi/command.js'
import { AuthCommand, SetupAuthCommand } from './sign-in/command.js'

/** The commands of features, and the list of features. `cli.ts` hands both to the core. */
export const commandLine: CommandLine = {
  commands: [
    AuthCommand,
    SetupAuthCommand,
    GraphqlGenerateCommand,
    OpenapiCommand,
    ClientCommand,
    WhyCommand,
    WhoCommand,
    PoliciesDiffCommand,
    PoliciesTestCommand,
  ],
  tags: graphqlTags,
  exitCodes: [
    { code: 1, command: 'why', meaning: 'no' },
    { code: 1, command: 'who', meaning: 'it lists nobody' },
    { code: 1, command: 'policies diff --check', meaning: 'somebody gains access' },
    { code: 1, command: 'policies test', meaning: 'a mutant survived' },
    { code: 2, command: 'openapi', meaning: 'a change breaks clients' },
    { code: 2, command: 'why, who, policies', meaning: 'there is no answer' },
  ],
  features: async () => (await import('./index.js')).features,
}
