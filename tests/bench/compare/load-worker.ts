/** The load generator: takes one load after another from its parent. */
import autocannon, { type Options, type Result } from 'autocannon'
import type { Load, Loaded } from './load.js'

process.on('message', (load: Load) => {
  void run(load).then((loaded) => process.send?.(loaded))
})

async function run({ port, seconds, connections, headers, requests }: Load): Promise<Loaded> {
  const started = performance.now()
  const { result, times } = await fire({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: requests.map((request) => ({ ...request, headers: { ...headers } })),
  })
  const took = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return {
    answered: times.length,
    sent: result.requests.sent,
    seconds: took,
    p50: at(0.5),
    p99: at(0.99),
    failed: result.errors + result.non2xx,
  }
}

/** With the milliseconds of each answer: autocannon's own histogram knows whole ones. */
function fire(options: Options): Promise<{ result: Result; times: number[] }> {
  const times: number[] = []
  return new Promise((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, result) =>
      error == null ? resolve({ result, times }) : reject(error),
    )
    instance.on('response', (_client, _status, _bytes, took) => times.push(took))
  })
}
