import { layOut } from '../../../plan/template.js'
import {
  encodedOptions,
  hasCursors,
  hasIncluded,
  metaOf,
  ofWrites,
  readingTypesOf,
  sentOptions,
  type Client,
  type ClientTemplate,
  type EncodedOption,
  type SentOption,
} from '../names.js'

/** `client.ts` and what comes with it are the same for every manifest, but for what records have besides. */
export interface ClientView {
  /** What requests may have in a header. */
  readonly sends: readonly SentOption[]
  /** The option with which a request that was not answered may be sent again, or null. */
  readonly repeated: string | null
  readonly writeOptions: readonly SentOption[]
  /** Parts of features, laid out. */
  readonly parts: Readonly<Record<ClientTemplate['at'], readonly string[]>>
  /** True: writes take more options than every call. */
  readonly hasWriteOptions: boolean
  /** `meta` of some records has more than the usual flags. */
  readonly hasMeta: boolean
  /** Columns to match by may be compared. */
  readonly hasComparisons: boolean
  /** Types of features, as they are declared. */
  readonly readingTypes: readonly string[]
  /** Some lists are walked from where a page ended. */
  readonly hasCursors: boolean
  readonly encoded: readonly EncodedOption[]
  /** True: `include` may be more than a list of paths. */
  readonly hasIncluded: boolean
}

export const clientView = (client: Client): ClientView => ({
  sends: sentOptions(client),
  repeated: sentOptions(client).find(({ repeats }) => repeats)?.name ?? null,
  writeOptions: ofWrites(client),
  parts: partsOf(client),
  hasComparisons: [...client.parts.values()].some(
    (part) => part.compared !== undefined || part.searchedWith !== undefined,
  ),
  hasWriteOptions: ofWrites(client).length > 0,
  hasCursors: client.api.project.entities.some((entity) => hasCursors(client, entity)),
  encoded: encodedOptions(client),
  hasIncluded: hasIncluded(client),
  hasMeta: client.api.project.entities.some((entity) => metaOf(client, entity) !== null),
  readingTypes: Object.values(readingTypesOf(client)),
})

function partsOf(client: Client): ClientView['parts'] {
  const all = [...client.parts.values()].flatMap(({ templates = [] }) => templates)
  const at = (place: ClientTemplate['at']) =>
    all.flatMap((template) => {
      const view = template.at === place ? template.view(client) : null
      return view === null ? [] : layOut(`client/${template.path}`, view).trimEnd()
    })
  return {
    requests: at('requests'),
    walks: at('walks'),
    helpers: at('helpers'),
    options: at('options'),
    types: at('types'),
    pages: at('pages'),
  }
}
