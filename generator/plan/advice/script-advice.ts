import type { PlanFile } from '../status.js'
import type { Advice } from './advice.js'

/** Scripts of package.json that their developer edited, and that lack the first step of svc's: it makes Prisma's client. */
export function scriptAdvice(files: readonly PlanFile[]): readonly Advice[] {
  const file = files.find(({ path }) => path === 'package.json')
  const [svcs, yours] = [file?.rendered, file?.content].map((text) => scriptsIn(text ?? '{}'))
  return Object.entries(svcs ?? {}).flatMap(([name, text]) => {
    const [step = '', ...others] = text.split(' && ')
    const [mine, before] = [yours?.[name], yours?.[`pre${name}`]]
    const [, program = ''] = step.split(' ')
    if (others.length === 0 || mine === undefined) return []
    if ([mine, before].some((each) => each?.includes(program) === true)) return []
    return [
      {
        rule: 'script',
        at: 'package.json',
        message: `the script '${name}' is yours, and lacks svc's first step: Prisma's client may be missing, or old`,
        fix: `"${name}": ${JSON.stringify(`${step} && ${mine}`)}`,
      },
    ]
  })
}

type Scripts = Readonly<Record<string, string>>

function scriptsIn(text: string): Scripts {
  try {
    const { scripts = {} } = JSON.parse(text) as { readonly scripts?: Scripts } // npm takes nothing else
    return scripts
  } catch {
    return {} // a conflict says so
  }
}
