import { camelCase, isReservedVariable } from '../../blueprint/names/names.js'
import type { Database } from '../../blueprint/types.js'
import { literal, property } from '../../source/literal.js'
import type { PlannedFeature } from '../feature.js'
import type { Opened } from '../render/starter.js'
import type { Described } from './decide.js'
import type { Entry } from './draft.js'
import { idText } from './keys.js'

/** The files of the manifest that says what is served. */
export function manifestTexts(
  features: readonly PlannedFeature[],
  repositories: readonly Described[],
  database: Database,
  policies: Opened,
): ReadonlyMap<string, string> {
  return new Map([
    ['manifest/index.ts', indexText(features, repositories, database, policies)],
    ...repositories.map((each) => [`manifest/${each.key}.ts`, repositoryText(each)] as const),
  ])
}

function indexText(
  features: readonly PlannedFeature[],
  repositories: readonly Described[],
  database: Database,
  policies: Opened,
): string {
  const entries = repositories.map(({ key }) =>
    property(key) === variable(key) ? key : `${property(key)}: ${variable(key)}`,
  )
  return [
    `import { defineManifest } from 'svckit'`,
    ...repositories.map(({ key }) => `import { ${variable(key)} } from './${key}.js'`),
    '',
    'export default defineManifest({',
    `  database: '${database}',`,
    ...features.filter((each) => each.isOffInExisting).map(({ name }) => `  ${name}: false,`),
    ...(policies === null ? [] : [`  newPolicies: '${policies}',`]),
    `  repositories: {`,
    ...entries.map((each) => `    ${each},`),
    '  },',
    '})',
    '',
  ].join('\n')
}

function repositoryText(described: Described): string {
  const { key, table, keyColumn, id, hasTimestamps, title, searchable, fields, related } = described
  const { unique, imports, names, words } = described
  const listText = (columns: readonly string[]) =>
    `[${columns.map((column) => literal(names.get(column) ?? column)).join(', ')}]`
  const sort = ['id', ...(title === null ? [] : [title])]
  const lines = [
    `table: ${literal(table)},`,
    ...(keyColumn === 'id' ? [] : [`key: ${literal(keyColumn)},`]),
    ...(idText(id) === null ? [] : [`id: ${idText(id)},`]),
    ...(hasTimestamps ? [] : ['timestamps: false,']),
    ...(title === null ? [] : [`title: ${literal(title)},`]),
    ...(searchable.length === 0 ? [] : [`searchable: [${searchable.map(literal).join(', ')}],`]),
    `sort: [${sort.map(literal).join(', ')}],`,
    ...(unique.length === 0 ? [] : [`unique: [${unique.map(listText).join(', ')}],`]),
    ...words.map(({ line }) => line),
    ...block('fields', fields),
    ...(related.length === 0 ? [] : block('related', related)),
  ]
  return [
    `import { ${[...imports].toSorted().join(', ')} } from 'svckit'`,
    '',
    `export const ${variable(key)} = repository({`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

const block = (name: string, entries: readonly Entry[]): readonly string[] =>
  entries.length === 0
    ? [`${name}: {},`]
    : [
        `${name}: {`,
        ...entries.map(
          ({ name: each, text, note }) =>
            `  ${property(each)}: ${text},${note === undefined ? '' : ` // ${note.replaceAll(/\s+/g, ' ')}`}`,
        ),
        '},',
      ]

const variable = (key: string) => {
  const name = camelCase(key)
  return isReservedVariable(name) ? `${name}Repository` : name
}
