import { receiveWaiting } from '#simulator/phones/phone-messages.ts'
import { resumeAcknowledgements } from '#simulator/webhooks/acknowledge.ts'
import { phoneJid } from '#simulator/world/jids.ts'
import { newDbId, newToken, newUuid } from '#simulator/random.ts'
import type { ConnectionState, Instance, WebhookConfig } from '#simulator/world/state.ts'
import { instanceOf, updateInstance, type World } from '#simulator/world/world.ts'

/** The life cycle of an instance: created, connecting, open, closed. */

/** Events about the instance itself are ordered among themselves. */
export const instanceLane = 'instance'

export interface NewInstance {
  name: string
  token?: string
  ownerNumber?: string
  ownerName?: string
  state?: ConnectionState
  settings?: Record<string, unknown>
}

export function makeInstance(world: World, wanted: NewInstance): Instance {
  const now = world.clock.now()
  const instance: Instance = {
    name: wanted.name,
    id: newUuid(),
    token: wanted.token ?? newToken(),
    state: wanted.state ?? 'close',
    ownerNumber: wanted.ownerNumber ?? null,
    ownerName: wanted.ownerName ?? null,
    webhook: null,
    sendsBase64: false,
    qr: null,
    settings: wanted.settings ?? {},
    disconnection: null,
    createdAt: now,
    updatedAt: now,
  }
  world.commit({ t: 'instance', instance })
  return instance
}

export function setWebhook(
  world: World,
  name: string,
  wanted: Omit<WebhookConfig, 'id' | 'createdAt' | 'updatedAt' | 'headers'> & {
    headers?: Record<string, string>
  },
): WebhookConfig {
  const before = instanceOf(world, name).webhook
  const now = world.clock.now()
  const webhook: WebhookConfig = {
    ...wanted,
    id: before?.id ?? newDbId(now),
    // Omitted headers stay as they were.
    headers: wanted.headers ?? before?.headers ?? null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  updateInstance(world, name, { webhook })
  return webhook
}

export function announceConnection(world: World, instance: Instance, state: string, statusReason: number) {
  const owner =
    state === 'open'
      ? {
          wuid: phoneJid(instance.ownerNumber ?? ''),
          profileName: instance.ownerName,
          profilePictureUrl: null,
        }
      : {}
  const data = { instance: instance.name, ...owner, state, statusReason }
  void world.hooks.emit(instance, {
    event: 'connection.update',
    data,
    lane: instanceLane,
    detail: `${state} ${statusReason}`,
  })
}

/** Opens the socket: pending messages are received and missed acknowledgements posted. */
export function openInstance(world: World, name: string): Instance {
  const before = instanceOf(world, name)
  if (before.state === 'open') return before
  const instance = updateInstance(world, name, {
    state: 'open',
    storedState: undefined,
    qr: null,
    ownerNumber: before.ownerNumber ?? '5511955554444',
    ownerName: before.ownerName ?? before.name,
    sendsBase64: before.webhook?.base64 ?? false,
  })
  announceConnection(world, instance, 'open', 200)
  receiveWaiting(world, name)
  resumeAcknowledgements(world)
  return instance
}

/** Closes the instance, unlinked on the phone or logged out here, until a QR code is scanned. */
export function closeInstance(world: World, name: string, code = 401): Instance {
  const at = world.clock.now()
  const instance = updateInstance(world, name, {
    state: 'close',
    storedState: undefined,
    qr: null,
    disconnection: { at, code },
  })
  const disconnection = {
    disconnectionAt: new Date(at).toISOString(),
    disconnectionReasonCode: code,
    disconnectionObject: JSON.stringify({
      error: { data: null, isBoom: true, output: { statusCode: code } },
    }),
  }
  const data = { instance: name, status: 'closed', ...disconnection }
  void world.hooks.emit(instance, {
    event: 'status.instance',
    data,
    lane: instanceLane,
    detail: `fechada ${code}`,
  })
  void world.hooks.emit(instance, {
    event: 'logout.instance',
    data: null,
    lane: instanceLane,
    detail: 'saiu',
  })
  announceConnection(world, instance, 'close', code)
  return instance
}

/** Drops the socket: 'connecting', without a preceding 'close'. */
export function dropInstance(world: World, name: string, code = 428): Instance {
  const instance = updateInstance(world, name, { state: 'connecting', storedState: undefined, qr: null })
  announceConnection(world, instance, 'connecting', code)
  return instance
}

/** Reopens a dropped socket after a moment, unless it has no number yet or a fault keeps it down. */
export function reopenSoon(world: World, name: string): void {
  world.timers.after(world.pace.restartMs, () => {
    const instance = world.state.instances.get(name)
    if (instance?.state !== 'connecting' || instance.ownerNumber === null || instance.qr) return
    if (!isHeldDown(world, name)) openInstance(world, name)
  })
}

/** Codes after which the gateway does not connect again. */
const finalCodes = new Set([401, 402, 403, 406])
/** Nor does 2.4 after the time-out of a connection. */
const timedOut = 408

/** WhatsApp ends a session: the gateway opens it again, unless the code says not to. */
export function endSession(world: World, name: string, code: number): void {
  const isLatest = world.state.version === '2.4'
  if (finalCodes.has(code) || (isLatest && code === timedOut)) return void closeInstance(world, name, code)
  if (isLatest) return reconnectLater(world, name)
  dropInstance(world, name, code)
  reopenSoon(world, name)
}

/**
 * 2.4 waits before it connects again, and posts nothing of it: until then it answers 'close', while its table
 * still says 'open'.
 */
export function reconnectLater(world: World, name: string): void {
  updateInstance(world, name, { state: 'close', storedState: 'open', qr: null })
  world.timers.after(world.pace.reconnectMs, () => {
    if (!world.state.instances.get(name)?.storedState) return
    dropInstance(world, name, 200)
    reopenSoon(world, name)
  })
}

/** Restarts an open or connecting instance. */
export function restartInstance(world: World, name: string): void {
  dropInstance(world, name, 200)
  reopenSoon(world, name)
}

export function isHeldDown(world: World, name: string) {
  return world.state.faults.disconnect.on && name === world.instanceName
}

/** Applies the 'disconnect' fault to the main instance. */
export function applyDisconnect(world: World): void {
  const { on, state } = world.state.faults.disconnect
  const instance = instanceOf(world, world.instanceName)
  if (!on) {
    if (instance.state !== 'open') {
      if (instance.state === 'close') dropInstance(world, instance.name, 200)
      openInstance(world, instance.name)
    }
    return
  }
  if (instance.state === state) return
  if (state === 'close') closeInstance(world, instance.name)
  else dropInstance(world, instance.name)
}
