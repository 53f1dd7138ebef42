/** The beginnings of a manifest: one file for a small project, a folder for a large one. */
export const manifestEntries = [
  'manifest/index.ts',
  'manifest.ts',
  'manifest/index.js',
  'manifest.js',
] as const

/** Paths of a manifest in the folder of a project. */
export const manifestPaths = ['manifest', 'manifest.ts', 'manifest.js'] as const
