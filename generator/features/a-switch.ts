import type { FeatureCheck } from '../blueprint/feature.js'
import { aTruth } from '../blueprint/fields/shapes.js'
import type { ManifestWords } from '../manifest/words.js'

/** A feature that the manifest switches on: `metrics: true`. */
export const aSwitch = (name: keyof ManifestWords): FeatureCheck => ({
  options: { [name]: aTruth },
  facts: (manifest) => (manifest[name] === true ? true : undefined),
})

/** A feature that every project has until its manifest switches it off: `openapi: false`. */
export const onByDefault = (name: keyof ManifestWords): FeatureCheck => ({
  options: { [name]: aTruth },
  facts: (manifest) => (manifest[name] === false ? undefined : true),
})
