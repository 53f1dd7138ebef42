import {
  type AskOf,
  type ProcessOptions,
  runnable,
  withProcess,
} from '../../../commands/project-process.js'
import type { Questions } from './answers.js'
import { type Compared, explainScript } from './explain-script.js'
import type { PolicyPlaces } from './policy-places.js'

interface Beside {
  readonly compared?: Compared
  readonly told?: PolicyPlaces
}

/** Asks the project's own policies, which are code of its own, in a process of theirs. */
export async function askProject<Result>(
  root: string,
  work: (ask: AskOf<Questions>) => Promise<Result>,
  options: ProcessOptions = {},
  { compared, told }: Beside = {},
): Promise<Result> {
  const target = await runnable(root)
  // The server's log of policies is answered here instead.
  const environment = { LOG_LEVEL: 'silent', ...options.environment }
  return withProcess<Questions, Result>(
    root,
    () => explainScript(target, compared ?? null, told ?? null),
    work,
    {
      ...options,
      environment,
    },
  )
}
