import type { Encoding, Faults } from '#simulator/control-api.ts'
import type { CallView, OracleEntry } from '#simulator/control-views.ts'
import {
  type Instance,
  type Media,
  type Message,
  patchFaults,
  type PendingWebhook,
  type Phone,
  type State,
} from './state.ts'

/** The changes of the state; each is written to the journal. */

export type Change =
  | { t: 'instance'; instance: Instance }
  | { t: 'instanceGone'; name: string }
  | { t: 'phone'; phone: Phone }
  | { t: 'message'; message: Message }
  | { t: 'media'; media: Media }
  | { t: 'oracle'; entry: OracleEntry }
  | { t: 'hook'; hook: PendingWebhook }
  | { t: 'hookDone'; id: string }
  | { t: 'faults'; faults: Faults }
  | { t: 'version'; version: Encoding; licensed: boolean }
  | { t: 'call'; call: CallView }
  | { t: 'counts'; written: number; accepted: number }

function isAccepted(message: Message | undefined) {
  return message !== undefined && message.ack !== 'pending' && message.ack !== 'sent'
}

function applyMessage(state: State, message: Message) {
  const before = state.messages.get(message.waId)
  state.messages.set(message.waId, message)
  if (!before && message.phoneId !== null) {
    const chat = state.chats.get(message.phoneId)
    if (chat) chat.push(message.waId)
    else state.chats.set(message.phoneId, [message.waId])
  }
  // Imported history is acknowledged from the start and counted as neither.
  if (message.author !== 'phone' || message.elsewhere || (!before && message.ack !== 'pending')) return
  if (!before) state.written += 1
  if (!isAccepted(before) && isAccepted(message)) state.accepted += 1
}

/** Applies one change. */
export function applyChange(state: State, change: Change): void {
  switch (change.t) {
    case 'instance':
      state.instances.set(change.instance.name, change.instance)
      break
    case 'instanceGone':
      state.instances.delete(change.name)
      break
    case 'phone':
      state.phones.set(change.phone.id, change.phone)
      state.phoneByNumber.set(change.phone.number, change.phone.id)
      state.phoneByLid.set(change.phone.lid, change.phone.id)
      break
    case 'message':
      applyMessage(state, change.message)
      break
    case 'media':
      state.media.set(change.media.waId, change.media)
      break
    case 'oracle':
      state.oracle.push(change.entry)
      break
    case 'hook':
      state.hooks.set(change.hook.id, change.hook)
      break
    case 'hookDone':
      state.hooks.delete(change.id)
      break
    case 'faults':
      // A journal of an older version may lack a switch.
      state.faults = patchFaults(state.faults, change.faults)
      break
    case 'version':
      state.version = change.version
      state.licensed = change.licensed
      break
    case 'call':
      state.calls.set(change.call.id, change.call)
      break
    case 'counts':
      state.written = change.written
      state.accepted = change.accepted
      break
  }
}

/** The shortest list of changes that recreates the state. */
export function* changesOf(state: State): Generator<Change> {
  yield { t: 'faults', faults: state.faults }
  yield { t: 'version', version: state.version, licensed: state.licensed }
  for (const instance of state.instances.values()) yield { t: 'instance', instance }
  for (const phone of state.phones.values()) yield { t: 'phone', phone }
  for (const message of state.messages.values()) yield { t: 'message', message }
  for (const media of state.media.values()) yield { t: 'media', media }
  for (const entry of state.oracle) yield { t: 'oracle', entry }
  for (const hook of state.hooks.values()) yield { t: 'hook', hook }
  for (const call of state.calls.values()) yield { t: 'call', call }
  yield { t: 'counts', written: state.written, accepted: state.accepted }
}
