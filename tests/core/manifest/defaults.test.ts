import { expect, test } from 'vitest'
import * as svckit from '../../../generator/index.js'
import type { Field } from '../../../generator/manifest/field.js'
import { buildBlueprint } from '../../support/with-features.js'

const { dateTime, decimal, defineManifest, email, json, repository, text, uuid } = svckit

/** Returns the default of a field's column; or the rule that the manifest breaks. */
function defaultOf(value: Field): unknown {
  const things = repository({ fields: { name: text(), value } })
  const manifest = defineManifest({ database: 'sqlite', repositories: { things } })
  const position = { file: 'manifest.ts', line: 1, column: 1 }
  const sources = { repositories: new Map(), locate: () => position }
  const built = buildBlueprint(manifest, { sources, userModel: null })
  if ('problems' in built) return built.problems.map(({ rule }) => rule).join()
  return built.blueprint.entities[0]?.columns.find(({ name }) => name === 'value')?.default
}

const deep: svckit.Field = json().default({ list: [1, 'a', null] })

test.each([
  ['a decimal with zeros that say nothing', decimal(10, 2).default('1.500'), '1.50'],
  ['a decimal below nothing at all', decimal(10, 2).default('-0'), '0.00'],
  [
    'a UUID in capitals',
    uuid().default('0190A8E5-7C1E-7000-8000-000000000000'),
    '0190a8e5-7c1e-7000-8000-000000000000',
  ],
  [
    'an instant of another zone',
    dateTime().default('2026-02-03T04:05:06+02:00'),
    '2026-02-03T02:05:06.000Z',
  ],
  ['JSON', deep, { list: [1, 'a', null] }],
])('the default is what a request with it would store: %s', (_, field, stored) => {
  expect(defaultOf(field)).toEqual(stored)
})

test.each([
  ['an e-mail address', email().default('a..b@example.com')],
  ['a number of JSON that loses digits', json().default({ at: 2 ** 53 })],
  ['a year that no database holds', dateTime().default('0000-02-03T04:05:06Z')],
  ["an instant whose zone is anybody's guess", dateTime().default('2026-02-03T04:05:06')],
])('a default that a request could not send is a problem: %s', (_, field) => {
  expect(defaultOf(field)).toBe('wrong-default')
})
