/** Functions of features that manifests are written with. */
export { filter, matcher, sorter } from './own-filters/words.js'
