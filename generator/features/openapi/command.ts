import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class OpenapiCommand extends SvcCommand {
  static override paths = [['openapi'], ['svc:openapi']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'List changes of the API that break its clients',
    details: `
      Compares \`app/OpenApi/openapi.json\` with an older one (\`git show main:app/OpenApi/openapi.json > old.json\`). Lists
      removed operations, parameters, properties, statuses and headers, input that accepts less, output that may hold more,
      and members that became required. Each line has its place in the document.

      Exits with 2 if it lists anything. The command writes nothing.
    `,
  })

  check = Option.String('--check', { required: true, description: 'The older document' })
  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { checkOpenapi } = await import('./commands/check-openapi.js')
    const { lines, json, exitCode } = checkOpenapi(this.context.cwd, this.check)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}
