import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class RoutesCommand extends SvcCommand {
  static override paths = [['routes'], ['svc:routes']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'List every route with its controller and policy',
    details: `
      Reads the manifest and the files in \`routes/\`, and runs neither them nor the server. Under the list, svc names routes
      that it could only know by running your code.
    `,
  })

  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { listRoutes } = await import('./list-routes.js')
    const features = await this.context.features()
    const { lines, json, exitCode } = await listRoutes(this.context.cwd, features)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}
