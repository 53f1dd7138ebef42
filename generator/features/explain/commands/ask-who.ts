import type { Writable } from 'node:stream'
import { showProgress } from '../../../commands/report/progress.js'
import type { AskedWho } from './answers.js'
import { askProject } from './ask-project.js'
import { orCannot, told, type Told } from './ask-why.js'

/** `svc who`: every user is asked. Ctrl-C ends that with what is known. */
export async function askWho(root: string, asked: AskedWho, errors: Writable): Promise<Told> {
  const progress = showProgress(errors)
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  process.on('SIGINT', stop)
  try {
    const options = { say: progress.step, interrupt: interrupt.signal }
    return await orCannot(async () =>
      told(await askProject(root, (ask) => ask('who', asked), options)),
    )
  } finally {
    process.off('SIGINT', stop)
    progress.end()
  }
}
