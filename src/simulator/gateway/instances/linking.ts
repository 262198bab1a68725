import { randomBytes } from 'node:crypto'
import { announceConnection, dropInstance, instanceLane, isHeldDown, openInstance } from './instances.ts'
import { qrImage } from './qr-image.ts'
import type { Instance } from '#simulator/world/state.ts'
import { instanceOf, updateInstance, type World } from '#simulator/world/world.ts'

/**
 * Linking a number: QR codes with a limited life, one after another, until one is scanned or the limit is
 * reached.
 */

const connectionClosed = 428

// WhatsApp's alphabet for pairing codes: no vowels, no look-alikes.
const pairingLetters = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'
function newPairingCode() {
  return [...randomBytes(8)].map((byte) => pairingLetters[byte % pairingLetters.length]).join('')
}

function giveUp(world: World, instance: Instance): void {
  const emit = (event: string, data: unknown, detail: string) =>
    void world.hooks.emit(instance, { event, data, lane: instanceLane, detail })
  const message = 'QR code limit reached, please login again'
  emit('qrcode.updated', { message, statusCode: 500 }, 'limite de QR codes')
  announceConnection(world, instance, 'refused', connectionClosed)
  updateInstance(world, instance.name, { state: 'close', qr: null })
}

/** Issues the next QR code, and a pairing code where one was requested. */
function renewQr(world: World, name: string): void {
  const before = world.state.instances.get(name)
  if (before?.state !== 'connecting' || !before.qr) return
  if (before.qr.count >= world.pace.qrLimit) return giveUp(world, before)
  const code = `2@${randomBytes(168).toString('base64')}`
  const pairingCode = before.qr.pairingCode === null ? null : newPairingCode()
  const qr = { code, base64: qrImage(code), pairingCode, count: before.qr.count + 1 }
  const instance = updateInstance(world, name, { qr })
  const { count: _, ...shown } = qr
  const data = { qrcode: { instance: name, ...shown } }
  const detail = `QR code ${qr.count}`
  void world.hooks.emit(instance, { event: 'qrcode.updated', data, lane: instanceLane, detail })
  const isCurrent = () => world.state.instances.get(name)?.qr?.code === code
  world.timers.after(world.pace.qrLifeMs, () => {
    if (isCurrent()) renewQr(world, name)
  })
  const { autoScanMs } = world.pace
  if (autoScanMs === undefined) return
  world.timers.after(autoScanMs, () => {
    if (isCurrent() && !isHeldDown(world, name)) openInstance(world, name)
  })
}

/** Begins linking: the first QR code comes after a delay, with a pairing code if a number is given. */
export function beginLinking(world: World, name: string, number: string | undefined): void {
  dropInstance(world, name, 200)
  // No code yet, hence count 0.
  updateInstance(world, name, { qr: { code: '', base64: '', pairingCode: number ? '' : null, count: 0 } })
  world.timers.after(world.pace.qrDelayMs, () => renewQr(world, name))
}

/** Resumes a pending link with a new code after a restart. */
export function resumeLinking(world: World, name: string): void {
  const { state, qr } = instanceOf(world, name)
  if (state === 'connecting' && qr) world.timers.after(world.pace.qrDelayMs, () => renewQr(world, name))
}
