const times = Number(process.env['SVC_TEST_RUNS'] ?? 1)

/** How many cases a property is tried with: `npm run test:long` tries ten times as many. */
export const runs = (usual: number): number => usual * times

/** Milliseconds that many cases may take. */
export const timeFor = (usual: number): number => usual * times
