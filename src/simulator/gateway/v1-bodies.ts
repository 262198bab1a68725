import type { Instance, WebhookConfig } from '#simulator/world/state.ts'
import { phoneJid } from '#simulator/world/jids.ts'
import { validate } from './validation.ts'
import { isJson, type Json } from '#simulator/webhooks/wire.ts'

/** Request bodies of 1.x, converted to and from those of 2.x. */

const holders: Record<string, string> = {
  sendText: 'textMessage',
  sendMedia: 'mediaMessage',
  sendWhatsAppAudio: 'audioMessage',
  sendReaction: 'reactionMessage',
}

/**
 * `{number, options: {delay, quoted}, textMessage: {text}}` as the flat body of 2.x.
 * @throws GatewayError 400 when the message is not where 1.x expects it
 */
export function flattenV1(action: string, body: unknown): unknown {
  const holder = holders[action]
  if (holder === undefined || !isJson(body)) return body
  validate(body, { type: 'object', required: [holder] })
  const { number, options, [holder]: inner } = body
  const { delay, quoted } = isJson(options) ? options : {}
  const common = { ...(delay === undefined ? {} : { delay }), ...(quoted === undefined ? {} : { quoted }) }
  return { ...(number === undefined ? {} : { number }), ...common, ...(isJson(inner) ? inner : {}) }
}

/** A flat `{url, enabled, events, webhook_by_events, webhook_base64}` as the nested body of 2.x. */
export function nestV1Webhook(body: unknown): unknown {
  validate(body, { type: 'object', required: ['url', 'enabled'] })
  if (!isJson(body)) return body
  const { url, enabled, events = [], webhook_by_events: byEvents, webhook_base64: base64 } = body
  const flags = {
    ...(byEvents === undefined ? {} : { byEvents }),
    ...(base64 === undefined ? {} : { base64 }),
  }
  return { webhook: { url, enabled, events, ...flags } }
}

export function v1Webhook({ name }: Instance, config: WebhookConfig): Json {
  const { url, events, enabled } = config
  return { webhook: { instanceName: name, webhook: { url, events, enabled } } }
}

/** A row of fetchInstances. */
export function v1Instance(instance: Instance, serverUrl: string): Json {
  return {
    instance: {
      instanceName: instance.name,
      instanceId: instance.id,
      ...(instance.ownerNumber === null ? {} : { owner: phoneJid(instance.ownerNumber) }),
      profileName: instance.ownerName,
      profilePictureUrl: null,
      profileStatus: '',
      status: instance.state,
      serverUrl,
      apikey: instance.token,
      integration: { integration: 'WHATSAPP-BAILEYS', webhook_wa_business: null },
    },
  }
}
