import { inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { aTruth, checkOptions } from './shapes.js'

/** A callable entry (spec 2.5). Its type goes into `app/Models.ts`, so that the hook is held to it. */
export function readComputed(
  draft: EntityDraft,
  key: string,
  { batch, answer }: Readonly<Record<string, unknown>>,
  context: Context,
): void {
  const at = inRelated(draft, key)
  checkOptions({ batch }, { batch: aTruth }, { at, of: `related '${key}'`, report: context.report })
  const isSaid = typeof answer === 'string' && isKnown(draft, key, answer, context)
  draft.computed.push({ key, batch: batch === true, ...(isSaid ? { answer } : {}) })
}

/** Names that mean the same wherever they are written; rows are in `app/Models.ts` too. */
export const namesInEveryFile = new Set(
  `any bigint boolean false in infer is keyof never null number object readonly string true undefined unknown void
  Array Date Exclude Extract NonNullable Omit Partial Pick Readonly ReadonlyArray Record Required`.split(
    /\s+/,
  ),
)

function isKnown(
  draft: EntityDraft,
  key: string,
  answer: string,
  { drafts, report }: Context,
): boolean {
  const rows = new Set(drafts.map(({ names }) => names.name))
  const unknown = namesIn(answer).find((name) => !namesInEveryFile.has(name) && !rows.has(name))
  if (unknown === undefined) return true
  report({
    rule: 'answer-type',
    at: inRelated(draft, key),
    message: `related '${key}' answers '${answer}', and '${unknown}' means nothing in app/Models.ts`,
    fix: `write the type out: ${key}: computed<{ … }>()`,
  })
  return false
}

/** Names of types: neither in quotes, nor those of properties. */
export function namesIn(type: string): readonly string[] {
  const bare = type.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, ' ')
  return [...bare.matchAll(/[A-Za-z_$][\w$]*(?!\s*\??:|[\w$])/g)].map(([name]) => name)
}
