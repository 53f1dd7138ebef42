import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class OpenapiCommand extends SvcCommand {
  static override paths = [['openapi'], ['svc:openapi']]

  static override usage = Command.Usage({
    description: 'name what breaks clients of an older document of the API',
    details: `
      Compares \`app/OpenApi/openapi.json\` with an older one (\`git show main:app/OpenApi/openapi.json > old.json\`): operations,
      parameters, properties, statuses and headers that are gone, input that takes less, output that answers more, and what
      is required now. Each with its place in the document: the new one, of what is gone the old one.

      Exits with 2 where there is any. Writes nothing.
    `,
  })

  check = Option.String('--check', { required: true, description: 'The older document' })
  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { checkOpenapi } = await import('./commands/check-openapi.js')
    const { lines, json, exitCode } = checkOpenapi(this.context.cwd, this.check)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}
