import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'

/** Known to Node, and not to its types for version 20. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>
}

type Open = () => Promise<SchemaEngine>

let loaded: Promise<Open> | undefined
let onPanic: (message: string) => void = () => {}

/** Loads the engine while there is other work; whether it fails is reported to those who open it. */
export function warmEngine(): void {
  loadOnce().catch(() => {})
}

/** An engine without a database. Loading it the first time takes about 30 ms, opening another one less than one. */
export async function openEngine(): Promise<SchemaEngine> {
  const open = await loadOnce()
  return open()
}

/** One that could not be loaded is tried again: `svc dev` lives on while packages are installed. */
function loadOnce(): Promise<Open> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/**
 * Rejects when the engine panics. It does so outside any promise: without this the process would end with a stack of
 * WebAssembly, and the call would never settle.
 */
export function takePanic() {
  let message = ''
  let listen: (error: Error) => void = () => {}
  onPanic = (text) => (message = text)
  const promise = new Promise<never>((_, reject) => {
    listen = (error) => reject(message === '' ? error : new Error(message, { cause: error }))
  })
  process.on('uncaughtException', listen)
  return { promise, release: () => void process.off('uncaughtException', listen) }
}

/** At its end Node 20 waits for all WebAssembly that is still being optimized: longer than the optimized code saves. */
const unoptimized = '--wasm-tiering-budget=180000000'

async function load(): Promise<Open> {
  if (process.versions.node.startsWith('20.')) setFlagsFromString(unoptimized)
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const { offlineAdapter } = await import('./offline-adapter.js')
  const wasm = await readFile(path.replace(/\.js$/, '.wasm'))
  const registry = { set_message: (message: string) => onPanic(message) }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry })
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports['__wbindgen_start']
  if (typeof start !== 'function') throw new Error("Prisma's schema engine cannot be started")
  start()
  return () => glue.SchemaEngine.new({ datamodels: undefined }, () => {}, offlineAdapter())
}
