import type { OracleEntry, OracleReport } from '#simulator/control-views.ts'
import type { Message } from './state.ts'
import { phoneOf, type World } from './world.ts'

/**
 * The record of what was written and received on the phones, journaled before anything is acknowledged. Tests
 * compare the console against it.
 */

/** Records a message, an edit or a deletion on a phone. Messages to no phone are not recorded. */
export function record(
  world: World,
  message: Message,
  direction: OracleEntry['direction'],
  change?: 'edit' | 'delete',
): void {
  const phone = phoneOf(world, message)
  if (!phone) return
  const entry: OracleEntry = {
    seq: world.state.oracle.length + 1,
    at: new Date(world.clock.now()).toISOString(),
    direction,
    phone: phone.id,
    phoneNumber: phone.number,
    instance: message.instance,
    waId: message.waId,
    kind: change ?? message.act?.kind ?? message.rich?.kind ?? message.kind,
    text: change === 'delete' ? '' : message.text,
    fromConsole: message.author === 'console',
  }
  world.commit({ t: 'oracle', entry })
}

const changeKinds: ReadonlySet<OracleEntry['kind']> = new Set(['edit', 'delete', 'vote', 'pin'])

/** Everything from entry `since` (0: all); continue with `nextSeq`. */
export function reportOf(world: World, since = 0): OracleReport {
  const entries = world.state.oracle.slice(since)
  const isChange = ({ kind }: OracleEntry) => changeKinds.has(kind)
  const received = new Map<string, OracleEntry & { times: number }>()
  for (const entry of entries) {
    if (entry.direction !== 'received' || isChange(entry)) continue
    const key = `${entry.phone}|${entry.waId}`
    const known = received.get(key)
    if (known) known.times += 1
    else received.set(key, { ...entry, times: 1 })
  }
  return {
    written: entries.filter((entry) => entry.direction === 'written' && !isChange(entry)),
    received: [...received.values()],
    changes: entries.filter(isChange),
    nextSeq: world.state.oracle.length,
  }
}
