import type { Encoding } from '#simulator/control-api.ts'
import { flag, text } from '#simulator/gateway/schema-parts.ts'
import type { Schema } from '#simulator/gateway/validation.ts'

/** Request schemas of the calls about instances, and types of the validated bodies. */

const eventNames = `
  APPLICATION_STARTUP QRCODE_UPDATED MESSAGES_SET MESSAGES_UPSERT MESSAGES_EDITED MESSAGES_UPDATE
  MESSAGES_DELETE SEND_MESSAGE SEND_MESSAGE_UPDATE CONTACTS_SET CONTACTS_UPSERT CONTACTS_UPDATE
  PRESENCE_UPDATE CHATS_SET CHATS_UPSERT CHATS_UPDATE CHATS_DELETE GROUPS_UPSERT GROUP_UPDATE
  GROUP_PARTICIPANTS_UPDATE CONNECTION_UPDATE LABELS_EDIT LABELS_ASSOCIATION CALL TYPEBOT_START
  TYPEBOT_CHANGE_STATUS REMOVE_INSTANCE LOGOUT_INSTANCE INSTANCE_CREATE INSTANCE_DELETE STATUS_INSTANCE`
  .trim()
  .split(/\s+/)

const lateEvents = ['SEND_MESSAGE_UPDATE', 'INSTANCE_CREATE', 'INSTANCE_DELETE', 'STATUS_INSTANCE']

/** The events a webhook can subscribe to in a release. */
function eventsIn(version: Encoding): string[] {
  if (version === '2.4') return [...eventNames, 'MESSAGING_HISTORY_SET']
  const isEarly = version === '1.8' || version === '2.2'
  return isEarly ? eventNames.filter((name) => !lateEvents.includes(name)) : eventNames
}

export interface WebhookBody {
  enabled: boolean
  url: string
  byEvents?: boolean
  base64?: boolean
  headers?: Record<string, string>
  events?: string[]
}
export function webhookSchema(version: Encoding): Schema {
  const webhook: Schema = {
    type: 'object',
    properties: {
      enabled: flag,
      url: { type: 'string', minLength: 1, description: 'The "url" cannot be empty' },
      headers: { type: 'object' },
      byEvents: flag,
      base64: flag,
      events: { type: 'array', items: { type: 'string', enum: eventsIn(version) } },
    },
    required: ['enabled', 'url'],
  }
  return { type: 'object', properties: { webhook }, required: ['webhook'] }
}

export interface CreateBody extends Record<string, unknown> {
  instanceName: string
  integration?: string
  qrcode?: boolean
  number?: string
  token?: string
  webhook?: WebhookBody
}
export const createSchema: Schema = {
  type: 'object',
  properties: { instanceName: text, token: text, number: { type: 'string' }, qrcode: { type: 'boolean' } },
}
