import type { Access } from '../model/entity.js'
import { answerHeaders, type Resource } from '../model/resource.js'

/** A record with the headers of an answer that is this record alone. */
export function withHeaders({ extensions }: Access, resource: Resource): Resource {
  for (const { says } of extensions) {
    if (says?.headers === undefined) continue
    const headers = Object.assign({}, resource[answerHeaders], says.headers(resource))
    resource[answerHeaders] = headers
  }
  return resource
}
