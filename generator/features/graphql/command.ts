import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

/** Of `svc publish`. */
export const graphqlTags = {
  'svc-graphql-config': { title: 'The GraphQL config', paths: ['config/svc-graphql.ts'] },
}

export class GraphqlGenerateCommand extends SvcCommand {
  static override paths = [['graphql:generate'], ['svc:graphql:generate']]

  static override usage = Command.Usage({
    description: 'write the GraphQL schema, and resolvers if you ask for them',
    details: `
      Shows what it found and would write, and asks. \`svc generate\` keeps the same files in step, so this is for
      looking first, for another folder or file name (which \`config/svc-graphql.ts\` then remembers), and for writing
      them anew with \`--force\`. \`svc undo\` takes it back.
    `,
    examples: [
      ['Look, and decide', 'svc graphql:generate'],
      ['Without a question, in a pipe', 'svc graphql:generate --skip-preview'],
      ['Resolvers too, whatever was edited', 'svc graphql:generate --resolvers --force'],
    ],
  })

  force = Option.Boolean('--force', false, {
    description: 'Overwrite edited files, naming each; do not ask',
  })
  skipPreview = Option.Boolean('--skip-preview', false, { description: 'Write without a preview' })
  resolvers = Option.Boolean('--resolvers', false, {
    description: 'Write a resolver file for each repository too',
  })
  outputPath = Option.String('--output-path', {
    description: 'Folder of the files (app/GraphQL)',
  })
  schemaFile = Option.String('--schema-file', {
    description: 'Name of the schema file (schema.graphql)',
  })

  override async execute(): Promise<number> {
    const { generateGraphql } = await import('./commands/generate.js')
    return generateGraphql({
      root: this.context.cwd,
      force: this.force,
      skipPreview: this.skipPreview,
      resolvers: this.resolvers,
      outputPath: this.outputPath,
      schemaFile: this.schemaFile,
      isOnTerminal: this.isOnTerminal,
      isColored: this.isColored,
      say: (...lines) => this.say(...lines),
    })
  }
}
