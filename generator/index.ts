/** The vocabulary of manifests: what `from 'svckit'` gives. */
export * from './kinds/words.js'
export {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphMany,
  morphOne,
  morphTo,
  morphToMany,
} from './manifest/relations.js'
import './features/words.js'
export { action, getter } from './features/actions/words.js'
export { fullText } from './features/full-text/words.js'
export { filter, matcher, sorter } from './features/custom-filters/words.js'
export { computed, member } from './manifest/entries.js'
export { repository } from './manifest/repository.js'
export { defineManifest } from './manifest/manifest.js'
export type { Field } from './manifest/field.js'
export type { Manifest } from './manifest/manifest.js'
export type { Relation } from './manifest/relations.js'
export type { Repository } from './manifest/repository.js'
