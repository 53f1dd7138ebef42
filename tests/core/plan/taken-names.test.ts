/** `svc generate` reports a parameter with the name of a column or a relation to filter by. */
import { expect, test } from 'vitest'
import { takenNames } from '../../../generator/features/reads/reader.js'
import { defineManifest, hasMany, belongsTo, repository, text } from '../../../generator/index.js'
import { buildBlueprint } from '../../support/with-features.js'

test('a column and a relation that are called as a parameter are filtered by filter[…] alone', () => {
  const cursors = repository({ fields: { name: text() }, related: { lamp: belongsTo() } })
  const lamps = repository({
    match: { fields: 'text', cursors: 'exists', cursor: 'exists' },
    fields: { fields: text().max(9) },
    related: { cursors: hasMany(), cursor: belongsTo('cursors').nullable() },
  })
  const repositories = { lamps, cursors }
  const manifest = defineManifest({
    database: 'sqlite',
    reads: ['sparse', 'cursors'],
    repositories,
  })
  const place = { file: 'manifest.ts', line: 1, column: 1 }
  const built = buildBlueprint(manifest, {
    sources: { repositories: new Map(), locate: () => place },
  })
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  expect(takenNames(built.blueprint).map(({ message }) => message)).toEqual([
    "'fields' in match of 'lamps' is filtered by filter[fields] alone: ?fields is a parameter of 'sparse' in reads",
    "'cursor' in match of 'lamps' is filtered by filter[cursor] alone: ?cursor is a parameter of 'cursors' in reads",
  ])
})
