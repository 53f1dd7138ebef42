/** What trees of comparisons find of products, without a database: SQL's three values, and only true finds. */
import fc from 'fast-check'
import {
  type Comparison,
  comparison,
  holds,
  kinds,
  type Name,
  type Product,
} from '../operators/model.js'

/** As JSON has it: members of an object hold together. */
export interface Where {
  readonly [name: string]: unknown
}

/** What is sent, and the same as GraphQL takes it, which has no plain values. */
export interface Tree {
  readonly json: Where
  readonly graphql: Where
  readonly truth: (row: Product) => boolean | null
}

const ofLeaf = fc
  .tuple(comparison, fc.boolean(), fc.boolean())
  .map(([said, isPlain, isNumber]): Tree => {
    const { name, word, values } = said
    const isList = word === 'in' || word === 'notIn'
    const all = values.map((value) =>
      name === 'price' && word !== 'isNull' && isNumber ? Number(value) : value,
    )
    const test = { [word]: isList ? all : all[0] }
    const plain = word === 'equals' ? all[0] : word === 'in' ? all : test
    const given = values.map((each) =>
      name === 'price' && word !== 'isNull' ? Number(each) : each,
    )
    return {
      json: { [name]: isPlain ? plain : test },
      graphql: { [name]: { [word]: isList ? given : given[0] } },
      truth: (row) => truthOf(row, said),
    }
  })

const truthOf = (row: Product, said: Comparison): boolean | null =>
  said.word !== 'isNull' && row[said.name] === null ? null : holds(row, said)

/** Trees of so many levels at most. */
export function trees(levels: number): fc.Arbitrary<Tree> {
  if (levels === 1) return ofLeaf
  const inner = trees(levels - 1)
  const several = fc.array(inner, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: ofLeaf },
    { weight: 3, arbitrary: several.map((parts) => joined('any', parts)) },
    { weight: 2, arbitrary: several.map((parts) => joined('all', parts)) },
    { weight: 2, arbitrary: inner.map(negated) },
    { weight: 1, arbitrary: fc.tuple(inner, ofLeaf).map(([one, other]) => beside(one, other)) },
  )
}

function joined(word: 'any' | 'all', parts: readonly Tree[]): Tree {
  return {
    json: { [word]: parts.map(({ json }) => json) },
    graphql: { [word]: parts.map(({ graphql }) => graphql) },
    truth: (row) => (word === 'any' ? some : every)(parts.map(({ truth }) => truth(row))),
  }
}

const negated = ({ json, graphql, truth }: Tree): Tree => ({
  json: { not: json },
  graphql: { not: graphql },
  truth: (row) => {
    const found = truth(row)
    return found === null ? null : !found
  },
})

/** Members of one object, where both say another thing. */
function beside(one: Tree, other: Tree): Tree {
  const isApart = Object.keys(other.json).every((name) => !Object.hasOwn(one.json, name))
  if (!isApart) return one
  return {
    json: { ...one.json, ...other.json },
    graphql: { ...one.graphql, ...other.graphql },
    truth: (row) => every([one.truth(row), other.truth(row)]),
  }
}

const some = (truths: readonly (boolean | null)[]) =>
  truths.includes(true) ? true : truths.includes(null) ? null : false
const every = (truths: readonly (boolean | null)[]) =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

export const names = Object.keys(kinds) as readonly Name[]
