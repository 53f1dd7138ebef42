import { hasGuard } from '../../config/server-config.js'

/**
 * The middleware of routes about one's own account: the list of the config, and `auth:token` where
 * it names no guard. Who is asked for must be known, whatever other routes do.
 */
export function withGuard(names: readonly string[]): readonly string[] {
  return hasGuard(names) ? names : [...names, 'auth:token']
}
