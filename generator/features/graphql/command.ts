import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

/** Tags of `svc publish`. */
export const graphqlTags = {
  'svc-graphql-config': { title: 'The GraphQL config', paths: ['config/svc-graphql.ts'] },
}

export class GraphqlGenerateCommand extends SvcCommand {
  static override paths = [['graphql:generate'], ['svc:graphql:generate']]

  static override usage = Command.Usage({
    category: 'Change',
    description: 'Write the GraphQL schema, and resolvers on request',
    details: `
      Shows what it found and what it would write, and asks before it writes. \`svc generate\` keeps the same files up to
      date, so you need this command only to look first, to choose another folder or file name (svc writes it into
      \`config/svc-graphql.ts\`), or to write the files again with \`--force\`. \`svc undo\` takes it back.
    `,
    examples: [
      ['Preview, then decide', 'svc graphql:generate'],
      ['In a script, without a question', 'svc graphql:generate --skip-preview'],
      ['Write resolvers too, and overwrite edits', 'svc graphql:generate --resolvers --force'],
    ],
  })

  force = Option.Boolean('--force', false, {
    description: 'Overwrite edited files and name each; do not ask',
  })
  skipPreview = Option.Boolean('--skip-preview', false, { description: 'Write without a preview' })
  resolvers = Option.Boolean('--resolvers', false, {
    description: 'Also write a resolver file for each repository',
  })
  outputPath = Option.String('--output-path', {
    description: 'Folder of the files (default: app/GraphQL)',
  })
  schemaFile = Option.String('--schema-file', {
    description: 'Name of the schema file (default: schema.graphql)',
  })

  override async execute(): Promise<number> {
    const { generateGraphql } = await import('./commands/generate.js')
    return generateGraphql({
      root: this.context.cwd,
      features: await this.context.features(),
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
