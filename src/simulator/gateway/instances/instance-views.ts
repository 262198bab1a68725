import { phoneJid } from '#simulator/world/jids.ts'
import type { Instance, WebhookConfig } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/** Instances, webhooks and settings as the calls answer them. */

function iso(ms: number) {
  return new Date(ms).toISOString()
}
export function stateOf({ name, state }: Instance) {
  return { instance: { instanceName: name, state } }
}

/** `{count: 0}` until there is a code. */
export function qrOf({ qr }: Instance) {
  return qr && qr.count > 0
    ? { pairingCode: qr.pairingCode, code: qr.code, base64: qr.base64, count: qr.count }
    : { count: 0 }
}

export function webhookRow(instance: Instance, config: WebhookConfig) {
  return {
    id: config.id,
    url: config.url,
    headers: config.headers,
    enabled: config.enabled,
    events: config.events,
    webhookByEvents: config.byEvents,
    webhookBase64: config.base64,
    createdAt: iso(config.createdAt),
    updatedAt: iso(config.updatedAt),
    instanceId: instance.id,
  }
}

export function settingsOf(body: Record<string, unknown>) {
  return {
    rejectCall: body['rejectCall'] === true,
    msgCall: body['msgCall'] ?? '',
    groupsIgnore: body['groupsIgnore'] === true,
    alwaysOnline: body['alwaysOnline'] === true,
    readMessages: body['readMessages'] === true,
    readStatus: body['readStatus'] === true,
    syncFullHistory: body['syncFullHistory'] === true,
    wavoipToken: '',
  }
}

/** A row of fetchInstances. */
export function instanceRow(world: World, instance: Instance) {
  const messages = [...world.state.messages.values()].filter((message) => message.instance === instance.name)
  const chats = new Set(messages.map(({ remoteJid }) => remoteJid)).size
  const { disconnection } = instance
  return {
    id: instance.id,
    name: instance.name,
    connectionStatus: instance.storedState ?? instance.state,
    ownerJid: instance.ownerNumber === null ? null : phoneJid(instance.ownerNumber),
    profileName: instance.ownerName,
    profilePicUrl: null,
    integration: 'WHATSAPP-BAILEYS',
    number: instance.ownerNumber,
    businessId: null,
    token: instance.token,
    clientName: 'evolution_exchange',
    disconnectionReasonCode: disconnection?.code ?? null,
    disconnectionObject: disconnection
      ? JSON.stringify({ error: { output: { statusCode: disconnection.code } } })
      : null,
    disconnectionAt: disconnection ? iso(disconnection.at) : null,
    createdAt: iso(instance.createdAt),
    updatedAt: iso(instance.updatedAt),
    Chatwoot: null,
    Proxy: null,
    Rabbitmq: null,
    Nats: null,
    Sqs: null,
    Websocket: null,
    Setting: { ...settingsOf(instance.settings), instanceId: instance.id },
    _count: { Message: messages.length, Contact: chats, Chat: chats },
  }
}
