import type { Column, FieldKind } from '../../../blueprint/types.js'
import { isFieldKind, kindOf, type Group } from '../../../kinds/kinds.js'

/** The form of a column's values: its kind, and the options that limit them. */
export type Form = Pick<
  Column,
  'kind' | 'min' | 'max' | 'precision' | 'scale' | 'options' | 'nullable'
> & {
  /** The type of its field in the schema: `String`, `Decimal`. */
  readonly type: string
}

export type { Group }

/** Groups kinds whose values differ. */
export const groupOf = ({ kind }: Pick<Form, 'kind'>): Group => kindOf(kind).group

/**
 * The comment behind a field of the schema, for schemas to come: `decimal(10, 2)`, `text max 160`, `select("draft", "live")`.
 * Types alone do not say what a column keeps.
 */
export function formMark({
  kind,
  precision,
  scale,
  options,
  min,
  max,
}: Omit<Form, 'type' | 'nullable'>): string {
  const digits = kindOf(kind).takes === 'digits' ? [precision, scale] : []
  const words = [...digits, ...(options ?? [])].map((each) => JSON.stringify(each))
  return [
    words.length === 0 ? kind : `${kind}(${words.join(', ')})`,
    ...(min === undefined ? [] : [`min ${min}`]),
    ...(max === undefined ? [] : [`max ${max}`]),
  ].join(' ')
}

const mark = /^(\w+)(?:\((.*)\))?(?: min (\S+))?(?: max (\S+))?$/

/** Null: no mark of svc's. */
export function readForm(text: string, type: string): Form | null {
  const [, kind = '', list = '', min, max] = mark.exec(text.trim()) ?? []
  if (!isFieldKind(kind)) return null
  const words = readList(list)
  if (words === null) return null
  return {
    ...plainForm(kind, type),
    ...argumentsOf(kind, words),
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  }
}

function readList(text: string): readonly unknown[] | null {
  try {
    return JSON.parse(`[${text}]`) as readonly unknown[]
  } catch {
    return null
  }
}

function argumentsOf(kind: FieldKind, words: readonly unknown[]): Partial<Form> {
  if (words.length === 0) return {}
  if (kindOf(kind).takes !== 'digits') return { options: words.map(String) }
  return { precision: Number(words[0]), scale: Number(words[1]) }
}

const plainForm = (kind: FieldKind, type: string): Form => {
  return { kind, type: type.replace('?', ''), nullable: type.endsWith('?') }
}

const kindOfType: Readonly<Record<string, FieldKind>> = {
  String: 'textarea',
  Int: 'integer',
  BigInt: 'bigInteger',
  Float: 'float',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'dateTime',
  Json: 'json',
}

/** Returns the form of a field without a mark: from its type. Null: a type of somebody's own. */
export function formOfType(type: string, attributes: string): Form | null {
  const kind = /@db\.Date\b/.test(attributes)
    ? 'date'
    : /@db\.Uuid\b/.test(attributes)
      ? 'uuid'
      : kindOfType[type.replace('?', '')]
  if (kind === undefined) return null
  const [, precision = '65', scale = '30'] = /@db\.Decimal\((\d+),\s*(\d+)\)/.exec(attributes) ?? []
  const digits =
    kindOf(kind).takes === 'digits' ? { precision: Number(precision), scale: Number(scale) } : {}
  return { ...plainForm(kind, type), ...digits }
}
