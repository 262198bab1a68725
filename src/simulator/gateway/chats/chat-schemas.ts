import { flag, key, type Key, number, text } from '#simulator/gateway/schema-parts.ts'
import type { Schema } from '#simulator/gateway/validation.ts'

/** Request schemas of the calls about chats, and types of the validated bodies. */

export interface ReadBody {
  readMessages: Key[]
}
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

export interface PresenceBody {
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

export interface FindBody {
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

export interface EditBody {
  number?: string
  text?: string
  key?: Key
}
export const editMessageSchema: Schema = { type: 'object', properties: { number: text, text, key } }

export interface NumberBody {
  number: string
}
/** Optional: fetchProfilePictureUrl then uses the instance's own number. */
export const profileSchema: Schema = { type: 'object', properties: { number } }

export interface MediaRequest {
  message?: { key?: { id?: string }; message?: Record<string, unknown> }
  convertToMp4?: boolean
}
