import type { PlanOptions, Rendered } from '../../../generator/plan/status.js'
import { prepare, type PreparedPlan } from '../../../generator/write/prepare.js'
import { apply } from '../../../generator/write/run/apply.js'
import { alone } from '../../../generator/write/run/run-lock.js'
import { repair } from '../../../generator/write/run/take-back.js'
import type { Target } from '../../../generator/write/target.js'
import type { Texts } from './folder.js'

export const stop = { conflicts: 'stop', force: false, version: '10.0.0', features: [] } as const

type Options = Partial<Omit<PlanOptions, 'parses'>> & { version?: string }

/** Runs `svc generate` from where it has rendered. */
export function run(target: Target, texts: Texts, options: Options = {}): Promise<PreparedPlan> {
  return alone(target, async () => {
    repair(target)
    const prepared = await prepare(target, rendered(texts), { ...stop, ...options })
    apply(target, prepared.changes)
    return prepared
  })
}

const owners = [
  [/^(package\.json|config\/|routes\/)/, 'shared'],
  [/^app\/Policies\//, 'you'],
] as const

/** Owners as the emitted project has them. */
export function rendered(texts: Texts): readonly Rendered[] {
  return Object.entries(texts).map(([path, content]) => {
    const owner = owners.find(([pattern]) => pattern.test(path))?.[1] ?? 'svc'
    return { path, content, owner }
  })
}

/** `status path`, without what is the same. */
export const statuses = ({ plan }: PreparedPlan) =>
  plan.files
    .filter(({ status }) => status !== 'same')
    .map(({ status, path }) => `${status} ${path}`)
