import { isRecord } from '../../model/get-own.js'
import { fold } from './fold.js'

/** The models that a write to a model may reach. */
export interface FoldedModel {
  /** Fields, and the column that holds each folded. */
  readonly folded: Readonly<Record<string, string>>
  /** Relation fields, and the model they reach. */
  readonly relations: Readonly<Record<string, string>>
}

type Models = Readonly<Record<string, FoldedModel>>

interface PrismaOperation {
  readonly model: string
  readonly args: unknown
  // Prisma types `query` by model and operation; what goes in is what came, with columns added.
  readonly query: (args: never) => Promise<unknown>
}

/**
 * An extension of the Prisma client: what is written through it, nested writes included, is folded
 * as the server folds it. SQL sent as text is not.
 */
export function foldWrites(models: Models) {
  return {
    name: 'folded',
    query: {
      $allModels: {
        $allOperations: ({ model, args, query }: PrismaOperation): Promise<unknown> =>
          query(foldArguments(models, model, args) as never), // see above
      },
    },
  }
}

type Fold = (value: unknown) => unknown

/** `data` of create, update and their kin; `create` and `update` of upsert. */
function foldArguments(models: Models, model: string, args: unknown): unknown {
  const folded = foldsData(models, model)
  return changed(args, { data: folded, create: folded, update: folded })
}

/** Folds the data of one record, or of each in a list. */
function foldsData(models: Models, model: string): Fold {
  const known = Object.hasOwn(models, model) ? models[model] : undefined
  if (known === undefined) return (data) => data
  return (data) => (Array.isArray(data) ? data.map(foldRecord) : foldRecord(data))

  function foldRecord(data: unknown): unknown {
    if (!isRecord(data) || known === undefined) return data
    const nested = Object.entries(known.relations).map(([field, other]): [string, Fold] => [
      field,
      (writes) => foldNested(models, other, writes),
    ])
    return { ...(changed(data, Object.fromEntries(nested)) as object), ...foldedOf(known, data) }
  }
}

function foldedOf({ folded }: FoldedModel, data: Record<string, unknown>) {
  const written = Object.entries(folded).filter(([field]) => data[field] !== undefined)
  return Object.fromEntries(written.map(([field, column]) => [column, foldValue(data[field])]))
}

/** A text, or `{ set: text }`. */
function foldValue(value: unknown): unknown {
  const text = isRecord(value) ? value['set'] : value
  return typeof text === 'string' ? fold(text) : null
}

/** The writes below a relation field: `{ create, connectOrCreate, update, … }`. */
function foldNested(models: Models, model: string, writes: unknown): unknown {
  const data = foldsData(models, model)
  const inside: Fold = (write) => changed(write, { data, create: data, update: data })
  // `update` of a to-one relation may hold the data itself.
  const update: Fold = (write) =>
    isRecord(write) && isRecord(write['data']) ? inside(write) : data(write)
  return changed(writes, {
    create: data,
    update: each(update),
    createMany: inside,
    connectOrCreate: each(inside),
    updateMany: each(inside),
    upsert: each(inside),
  })
}

const each =
  (change: Fold): Fold =>
  (value) =>
    Array.isArray(value) ? value.map(change) : change(value)

/** Returns the object with these members changed. */
function changed(value: unknown, changes: Readonly<Record<string, Fold>>): unknown {
  if (!isRecord(value)) return value
  const found = Object.entries(changes).filter(([name]) => value[name] !== undefined)
  return {
    ...value,
    ...Object.fromEntries(found.map(([name, change]) => [name, change(value[name])])),
  }
}
