/** Functions of features that manifests are written with. */
export { fullText } from './full-text/words.js'
export { filter, matcher, sorter } from './own-filters/words.js'
