import { literal } from '../../source/literal.js'
import type { Feature } from '../../write/feature.js'
import type { GraphqlFeature } from '../graphql/schema-scope.js'
import { versionsCheck, versionsFact } from './check.js'
import { countingKept, versionsKeeper } from './keeper.js'
import { memberOf } from './versioned.js'

/** Other frameworks use this name. */
const usualColumns = new Set(['lock_version', 'lockVersion'])

const folder = '#runtime/features/versions'

export const versions: Feature = {
  name: 'versions',
  check: versionsCheck,
  kept: countingKept,
  keeper: versionsKeeper,
  understands: [
    {
      in: 'header',
      name: 'If-Match',
      isOfProfile: (project) =>
        project.auth !== null && versionsFact.of(project.auth, project) !== null,
    },
  ],
  entitySlots: (entity, project) => {
    const said = versionsFact.of(entity, project)
    if (said === null) return {}
    const isRequired = said.isRequired ? ', isRequired: true' : ''
    return {
      imports: {
        'app/Repositories/NameRepository.ts': [
          { from: `${folder}/versions.js`, names: ['versions'] },
        ],
      },
      repository_extensions: [`versions({ column: ${literal(said.column)}${isRequired} })`],
    }
  },
  graphql: graphql(),
  has: (entity, blueprint) => {
    const said = versionsFact.in(blueprint, entity)
    if (said === null) return null
    return `versions (${said.column})${said.isRequired ? ', which every change must send' : ''}`
  },
  ofExisting: (fields) => {
    const found = fields.find(
      ({ name, text }) => usualColumns.has(name) && /^integer\(\)(\.default\(\d+\))?$/.test(text),
    )
    if (found === undefined) return null
    const word = `versioned: { column: ${literal(found.name)} },`
    return { line: `// ${word} would keep versions by it: a migration adds its trigger.` }
  },
  document: async () => (await import('./document.js')).versionsInDocument,
  client: async () => (await import('./client.js')).versionsInClient,
}

function graphql(): GraphqlFeature {
  return {
    part: () => ({
      shown: (entity, { project }) => {
        const said = versionsFact.of(entity, project)
        return said === null ? [] : [{ text: `${said.column}: Int!`, description: null }]
      },
      changed: (entity, { project }, of) => {
        const said = versionsFact.of(entity, project)
        const isRequired = said?.isRequired === true && of !== 'other'
        return said === null ? [] : [`version: Int${isRequired ? '!' : ''}`]
      },
      inRows: (entity, { project }) => {
        const said = versionsFact.of(entity, project)
        return said === null ? [] : [`${memberOf(entity, said)}: Int${said.isRequired ? '!' : ''}`]
      },
    }),
    resolver: (entity, project) => {
      const said = versionsFact.of(entity, project)
      if (said === null) return null
      const { name } = entity
      return {
        imports: [{ from: `${folder}/graphql.js`, names: ['versionedResolver'] }],
        lines: [`...versionedResolver(${name}Repository), // update and delete one version`],
      }
    },
  }
}
