import { z } from 'zod'
import { hasGuard } from '../../config/server-config.js'
import type { AnyRepository } from '../../operations/repository.js'
import type { SignInConfig } from './config.js'

interface Started {
  readonly config: Pick<SignInConfig, 'auth' | 'middleware'>
  readonly repository: AnyRepository
}

/**
 * Lists settings of `config/svc.ts` that are probably mistakes; reported once, when the server
 * starts.
 */
export function startWarnings({ config, repository }: Started): readonly string[] {
  const unasked = unaskedFields(config.auth.register_fields, repository)
  return [
    ...(hasGuard(config.middleware) ? [] : [unguarded]),
    ...(unasked.length === 0 ? [] : [unregistrable(unasked)]),
  ]
}

const unguarded =
  'config/svc.ts: `middleware` names no guard, so resource routes and GraphQL read no token: ' +
  'everybody may call them, and policies get no user'

const unregistrable = (names: readonly string[]) =>
  `config/svc.ts: registering always fails: users need ${names.join(', ')}, which ` +
  'auth.register_fields does not name'

/**
 * Lists the fields that a user cannot be stored without, and that registering does not take from
 * the body.
 */
function unaskedFields(asked: readonly string[], { definition }: AnyRepository): string[] {
  const taken = new Set(['email', 'password', ...asked])
  const gated = definition.policy.canStore ?? {}
  return Object.entries(definition.rules)
    .filter(([name]) => !taken.has(name) && !Object.hasOwn(gated, name))
    .filter(([, rule]) => rule !== undefined && !z.safeParse(rule, undefined).success)
    .map(([name]) => name)
}
