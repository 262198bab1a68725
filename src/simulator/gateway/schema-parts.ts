import type { Schema } from './validation.ts'

/** Parts shared by Evolution's request schemas. */

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean', enum: [true, false] }
export const number: Schema = { type: 'string', description: 'Invalid format' }
export const delay: Schema = { type: 'integer', description: 'Enter a value in milliseconds' }
export const key: Schema = {
  type: 'object',
  properties: { id: text, remoteJid: text, fromMe: flag },
  required: ['id', 'remoteJid', 'fromMe'],
}
export const quoted: Schema = {
  properties: {
    key: { type: 'object', properties: { id: text, remoteJid: text, fromMe: flag }, required: ['id'] },
    message: { type: 'object' },
  },
}
export const mentions: Record<string, Schema> = {
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

export interface Key {
  id: string
  remoteJid: string
  fromMe: boolean
}
export interface QuotedBody {
  key?: { id?: string; remoteJid?: string; fromMe?: boolean }
  message?: { conversation?: unknown }
}
