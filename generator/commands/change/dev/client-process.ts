import { targetAt } from '../../../write/target.js'
import { refreshClient } from '../prisma-client.js'

// Run by `svc dev` in the folder of a project, which lets go of it when something was saved meanwhile.

process.once('disconnect', () => process.exit())
const failure = await refreshClient(targetAt(process.cwd()))
process.send?.(failure ?? '', () => process.disconnect())
