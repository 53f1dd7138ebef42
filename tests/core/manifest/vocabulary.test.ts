import { describe, expect, test } from 'vitest'
import { features } from '../../../generator/features/index.js'
import * as svckit from '../../../generator/index.js'
import { kinds } from '../../../generator/kinds/kinds.js'
import * as makers from '../../../generator/kinds/words.js'
import { vocabularyWith } from '../../../generator/load/evaluate.js'

const { belongsTo, boolean, computed, decimal, hasMany, member, multiSelect, repository, text } =
  svckit

describe('a field', () => {
  test('is data, and modifiers give a new one', () => {
    const plain = text()
    const changed = plain
      .max(5)
      .nullable()
      .unique()
      .describe('A name.')
      .renamedFrom('title')
      .column('The name')
      .default('x')
    expect(plain.definition).toEqual({ kind: 'text' })
    expect(changed.definition).toEqual({
      kind: 'text',
      max: 5,
      nullable: true,
      unique: true,
      description: 'A name.',
      renamedFrom: 'title',
      column: 'The name',
      default: 'x',
    })
  })

  test('is frozen', () => {
    expect(Object.isFrozen(text().max(5))).toBe(true)
    expect(Object.isFrozen(text().definition)).toBe(true)
  })

  test('equals a field that is declared the same', () => {
    expect(text().max(5).nullable()).toEqual(text().nullable().max(5))
  })

  test('keeps its digits and its options', () => {
    expect(decimal(10, 2).min(0).definition).toEqual({
      kind: 'decimal',
      precision: 10,
      scale: 2,
      min: 0,
    })
    expect(multiSelect(['a', 'b']).definition).toEqual({ kind: 'multiSelect', options: ['a', 'b'] })
  })

  test('has no modifier that its kind does not know', () => {
    expect('min' in boolean()).toBe(false)
    expect('default' in svckit.password()).toBe(false)
    expect('unique' in svckit.json()).toBe(false)
  })
})

describe('a relation', () => {
  const plain = { kind: 'belongsTo', target: null, nullable: false, options: {} }

  test.each([
    ['()', belongsTo(), plain],
    ["('users')", belongsTo('users'), { ...plain, target: 'users' }],
    ['({ … })', belongsTo({ filledBy: 'user' }), { ...plain, options: { filledBy: 'user' } }],
    [
      "('users', { … })",
      belongsTo('users', { relation: 'owner' }),
      { ...plain, target: 'users', options: { relation: 'owner' } },
    ],
    ['().nullable()', belongsTo().nullable(), { ...plain, nullable: true }],
    ['().readonly()', belongsTo().readonly(), { ...plain, readonly: true }],
    ['hasMany()', hasMany(), { ...plain, kind: 'hasMany' }],
  ])('%s', (_, relation, definition) => {
    expect(relation.definition).toEqual(definition)
    expect(Object.isFrozen(relation.definition.options)).toBe(true)
  })
})

test('entries that are not relations say what they are', () => {
  expect(computed()).toEqual({ type: 'computed', batch: false })
  expect(computed({ batch: true })).toEqual({ type: 'computed', batch: true })
  expect(member()).toEqual({ type: 'member' })
})

test('a repository and a manifest are frozen', () => {
  const posts = repository({ fields: { title: text() } })
  const manifest = svckit.defineManifest({ database: 'sqlite', repositories: { posts } })
  expect([posts, posts.definition, manifest, manifest.repositories].every(Object.isFrozen)).toBe(
    true,
  )
  expect(manifest.id).toBe('integer')
})

test('a manifest is loaded with the vocabulary that people import', () => {
  expect(vocabularyWith(features)).toEqual({ ...svckit })
})

test('each kind of field has a function of its name, which makes one', () => {
  const given = { options: ['a', 'b'], digits: [10, 2] }
  const made = Object.entries(makers).map(([name, make]) => {
    const { takes = null } = kinds.find((kind) => kind.name === name) ?? {}
    const args = takes === 'options' ? [given.options] : takes === 'digits' ? given.digits : []
    return (make as (...args: readonly unknown[]) => svckit.Field)(...args).definition.kind
  })
  expect(made).toEqual(Object.keys(makers))
  expect(made.toSorted()).toEqual(kinds.map(({ name }) => name).toSorted())
})
