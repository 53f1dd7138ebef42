import { isBlocked, isPending } from '../../plan/status.js'
import type { Finished, Outcome } from '../change/generate-options.js'
import { denyingPolicies } from './denying-policies.js'

/** `svc generate --json`. Members are only ever added. */
export function jsonReport(outcome: Outcome, { checked, clientFailure }: Finished): object {
  if (outcome.kind === 'problems') return { written: false, problems: outcome.problems, files: [] }
  const { plan, changes } = outcome.prepared
  return {
    written: outcome.isWritten && !isBlocked(plan),
    pending: isPending(plan) || changes.length > 0,
    blocked: isBlocked(plan),
    problems: [],
    files: plan.files.map(({ path, owner, status, note, movedFrom }) => {
      const from = movedFrom === undefined ? {} : { movedFrom }
      return { path, owner, status, note, ...from }
    }),
    upstream: outcome.prepared.upstream,
    broken: (checked?.broken ?? []).map(({ key: _key, ...line }) => line),
    clientFailure,
    clientStale: outcome.isClientStale,
    nulls: outcome.nulls,
    unread: outcome.unread,
    denying: denyingPolicies(plan).map(({ path }) => path),
  }
}
