import type { Log } from '../http/log.js'

const isGuard = (name: string) => name.startsWith('auth:')

/**
 * The middleware of routes about one's own account: the list of the config, and `auth:token` where
 * it names no guard. Who is asked for must be known, whatever other routes do.
 */
export function withGuard(names: readonly string[]): readonly string[] {
  return names.some(isGuard) ? names : [...names, 'auth:token']
}

/** A server whose policies decide alone may leave out the guard; then nobody is signed in there. */
export function tellWhenUnguarded(names: readonly string[], log: Pick<Log, 'warn'>): void {
  if (names.some(isGuard)) return
  log.warn(
    'config/svc.ts: `middleware` names no guard, so resource routes and GraphQL read no token: ' +
      'everybody may call them, and policies are asked about nobody',
  )
}
