import { Command, Option } from 'clipanion'
import { SvcCommand } from '../command.js'

export class RoutesCommand extends SvcCommand {
  static override paths = [['routes'], ['svc:routes']]

  static override usage = Command.Usage({
    description: 'list method, path, controller and policy of each route',
    details:
      'Reads the manifest and the files in routes/, and runs neither the server nor them: what is computed there is named under the list.',
  })

  json = Option.Boolean('--json', false, { description: 'As JSON' })

  override async execute(): Promise<number> {
    const { listRoutes } = await import('./list-routes.js')
    const { lines, json, exitCode } = await listRoutes(this.context.cwd)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}
