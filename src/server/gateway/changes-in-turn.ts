import { setTimeout as delay } from 'node:timers/promises'
import type { Hindrance } from '#shared/text/text.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { ChangeResult, SendResult } from '#server/gateway/evolution/client/answers.ts'
import { findConfig } from '#server/gateway/instances/queries.ts'

/** A message at WhatsApp that is changed, or reacted to. */
interface Changed {
  instanceId: number
  waId: string
}

/** Makes a change of a message at the gateway. @param ask may be repeated without a further effect */
export type ChangeInTurn = <Result extends ChangeResult | SendResult>(
  db: Db,
  message: Changed,
  ask: () => Promise<Result>,
) => Promise<Result>

const againMs = 500

/** Hindrances that are over within seconds, as a rule: a socket that opens again, a gateway that starts. */
const passing = new Set<Hindrance | undefined>(['socket', 'silent', 'busy'])
/** Somebody has to do something about a number in one of these states. */
const lasting = new Set(['close', 'unauthorized', 'unlicensed', 'disconnected'])

/**
 * Changes wait for a gateway that is hindered, as messages do, but not for longer than a person does: they
 * are made again until one is answered otherwise, the number's state says that waiting is of no use, or the
 * time is over. Those of one message follow each other, so that the last one that was asked for is the last
 * one made.
 * @param waitMs from the first attempt to the last
 */
export function createChangesInTurn(waitMs: number): ChangeInTurn {
  const lastOf = new Map<string, Promise<unknown>>()
  return (db, { instanceId, waId }, ask) => {
    const key = `${instanceId} ${waId}`
    const before = lastOf.get(key)
    const made = (async () => {
      await before
      const endMs = performance.now() + waitMs
      for (;;) {
        const result = await ask()
        if (!passing.has(hindranceIn(result)) || performance.now() + againMs > endMs) return result
        await delay(againMs)
        const number = await findConfig(db, instanceId)
        if (!number?.isActive || lasting.has(number.status)) return result
      }
    })()
    const ended = made.catch(() => undefined)
    lastOf.set(key, ended)
    void ended.then(() => lastOf.get(key) === ended && lastOf.delete(key))
    return made
  }
}

const hindranceIn = (result: ChangeResult | SendResult): Hindrance | undefined =>
  result.kind === 'not_sent' || result.kind === 'not_changed' ? result.hindrance : undefined
