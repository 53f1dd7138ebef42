import type { Blueprint } from '../../blueprint/types.js'
import type { OwnFolder } from '../../write/base/own-folder.js'
import type { FeatureReader } from '../../write/feature.js'
import type { ClientSettings } from './check.js'
import { clientHead } from './head.js'

/** Returns the folder of a client. */
export const clientFolder = ({ path }: ClientSettings): OwnFolder => ({
  what: 'client',
  path,
  inside: ['.', 'rules', 'rules/input', 'rules/kinds', 'rules/model'],
  head: clientHead,
})

/** Reads the client option of the manifest; null: there is none. */
export const clientIn = ({ features }: Blueprint): ClientSettings | null =>
  (features['client'] as ClientSettings | undefined) ?? null // as its check left it

export const clientReader: FeatureReader = {
  folder: (blueprint) => {
    const settings = clientIn(blueprint)
    if (settings === null) return null
    return {
      ...clientFolder(settings),
      render: async (target, of, read) => {
        const { renderClient } = await import('./read/render-client.js')
        return renderClient(target, of, settings, read)
      },
    }
  },
}
