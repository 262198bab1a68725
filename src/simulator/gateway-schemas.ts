import type { Schema } from './validation.ts'

/** Evolution 2.3.7's request schemas, as far as the console uses the calls, and the checked bodies' types. */

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean', enum: [true, false] }
const number: Schema = { type: 'string', description: 'Invalid format' }
const delay: Schema = { type: 'integer', description: 'Enter a value in milliseconds' }
const key: Schema = {
  type: 'object',
  properties: { id: text, remoteJid: text, fromMe: flag },
  required: ['id', 'remoteJid', 'fromMe'],
}
const quoted: Schema = {
  properties: {
    key: { type: 'object', properties: { id: text, remoteJid: text, fromMe: flag }, required: ['id'] },
    message: { type: 'object' },
  },
}
const mentions: Record<string, Schema> = {
  mentionsEveryOne: flag,
  mentioned: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'string',
      pattern: '^\\d+',
      description: '"mentioned" must be an array of numeric strings',
    },
  },
}

type Key = { id: string; remoteJid: string; fromMe: boolean }
export type QuotedBody = {
  key?: { id?: string; remoteJid?: string; fromMe?: boolean }
  message?: { conversation?: unknown }
}

export type TextBody = { number: string; text: string; delay?: number; quoted?: QuotedBody }
export const textSchema: Schema = {
  type: 'object',
  properties: { number, text, linkPreview: { type: 'boolean' }, delay, quoted, ...mentions },
  required: ['number', 'text'],
}

export type MediaBody = {
  number: string
  mediatype: 'image' | 'document' | 'video' | 'audio'
  media?: string
  mimetype?: string
  fileName?: string
  caption?: string
  delay?: number
  quoted?: QuotedBody
}
export const mediaSchema: Schema = {
  type: 'object',
  properties: {
    number,
    mediatype: { type: 'string', enum: ['image', 'document', 'video', 'audio'] },
    mimetype: text,
    media: text,
    fileName: text,
    caption: text,
    delay,
    quoted,
    ...mentions,
  },
  required: ['number', 'mediatype'],
}

export type AudioBody = { number: string; audio?: string; delay?: number }
export const audioSchema: Schema = {
  type: 'object',
  properties: { number, audio: text, delay, quoted, ...mentions },
  required: ['number'],
}

export type ReactionBody = { key: Key; reaction: string }
export const reactionSchema: Schema = {
  type: 'object',
  properties: { key, reaction: text },
  required: ['key', 'reaction'],
}

export type ReadBody = { readMessages: Key[] }
export const readSchema: Schema = {
  type: 'object',
  properties: {
    readMessages: {
      type: 'array',
      minItems: 1,
      items: {
        properties: { id: text, fromMe: flag, remoteJid: text },
        required: ['id', 'fromMe', 'remoteJid'],
      },
    },
  },
  required: ['readMessages'],
}

export type PresenceBody = {
  number: string
  presence: 'unavailable' | 'available' | 'composing' | 'recording' | 'paused'
  delay: number
}
export const presenceSchema: Schema = {
  type: 'object',
  properties: {
    number,
    delay: { type: 'number' },
    presence: { type: 'string', enum: ['unavailable', 'available', 'composing', 'recording', 'paused'] },
  },
  required: ['number', 'presence', 'delay'],
}

export type NumbersBody = { numbers?: string[] }
export const numbersSchema: Schema = {
  type: 'object',
  properties: {
    numbers: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', description: '"numbers" must be an array of numeric strings' },
    },
  },
}

export type FindBody = {
  where?: {
    key?: { remoteJid?: string; remoteJidAlt?: string; id?: string; fromMe?: boolean; participant?: string }
    messageType?: string
    source?: string
    messageTimestamp?: { gte?: string; lte?: string }
  }
  page?: number
  offset?: number
}
export const findSchema: Schema = {
  type: 'object',
  properties: {
    where: {
      type: 'object',
      properties: {
        key: {
          type: 'object',
          properties: {
            remoteJid: { type: 'string', minLength: 1, description: 'The property cannot be empty' },
            id: { type: 'string', minLength: 1, description: 'The property cannot be empty' },
            fromMe: flag,
          },
        },
      },
    },
    limit: { type: 'integer' },
  },
}

export type DeleteBody = Key
export const deleteSchema: Schema = {
  type: 'object',
  properties: { id: text, fromMe: flag, remoteJid: text, participant: text },
  required: ['id', 'fromMe', 'remoteJid'],
}

export type EditBody = { number?: string; text?: string; key?: Key }
export const editMessageSchema: Schema = { type: 'object', properties: { number: text, text, key } }

const eventNames = `
  APPLICATION_STARTUP QRCODE_UPDATED MESSAGES_SET MESSAGES_UPSERT MESSAGES_EDITED MESSAGES_UPDATE MESSAGES_DELETE
  SEND_MESSAGE SEND_MESSAGE_UPDATE CONTACTS_SET CONTACTS_UPSERT CONTACTS_UPDATE PRESENCE_UPDATE CHATS_SET CHATS_UPSERT
  CHATS_UPDATE CHATS_DELETE GROUPS_UPSERT GROUP_UPDATE GROUP_PARTICIPANTS_UPDATE CONNECTION_UPDATE LABELS_EDIT
  LABELS_ASSOCIATION CALL TYPEBOT_START TYPEBOT_CHANGE_STATUS REMOVE_INSTANCE LOGOUT_INSTANCE INSTANCE_CREATE
  INSTANCE_DELETE STATUS_INSTANCE`
  .trim()
  .split(/\s+/)

export type WebhookBody = {
  enabled: boolean
  url: string
  byEvents?: boolean
  base64?: boolean
  headers?: Record<string, string>
  events?: string[]
}
const webhook: Schema = {
  type: 'object',
  properties: {
    enabled: flag,
    url: { type: 'string', minLength: 1, description: 'The "url" cannot be empty' },
    headers: { type: 'object' },
    byEvents: flag,
    base64: flag,
    events: { type: 'array', items: { type: 'string', enum: eventNames } },
  },
  required: ['enabled', 'url'],
}
export const webhookSchema: Schema = { type: 'object', properties: { webhook }, required: ['webhook'] }

export type CreateBody = {
  instanceName: string
  integration?: string
  qrcode?: boolean
  number?: string
  token?: string
  webhook?: WebhookBody
} & Record<string, unknown>
export const createSchema: Schema = {
  type: 'object',
  properties: { instanceName: text, token: text, number: { type: 'string' }, qrcode: { type: 'boolean' } },
}
