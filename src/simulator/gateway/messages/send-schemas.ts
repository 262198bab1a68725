import {
  delay,
  key,
  type Key,
  mentions,
  number,
  quoted,
  type QuotedBody,
  text,
} from '#simulator/gateway/schema-parts.ts'
import type { Schema } from '#simulator/gateway/validation.ts'

/** Request schemas of the send calls, and types of the validated bodies. */

export interface TextBody {
  number: string
  text: string
  delay?: number
  quoted?: QuotedBody
  mentioned?: string[]
  messageId?: string
}
export const textSchema: Schema = {
  type: 'object',
  properties: { number, text, linkPreview: { type: 'boolean' }, messageId: text, delay, quoted, ...mentions },
  required: ['number', 'text'],
}

export interface MediaBody {
  number: string
  mediatype: 'image' | 'document' | 'video' | 'audio'
  media?: string
  mimetype?: string
  fileName?: string
  caption?: string
  delay?: number
  quoted?: QuotedBody
  messageId?: string
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
    messageId: text,
    delay,
    quoted,
    ...mentions,
  },
  required: ['number', 'mediatype'],
}

export interface AudioBody {
  number: string
  audio?: string
  delay?: number
}
export const audioSchema: Schema = {
  type: 'object',
  properties: { number, audio: text, delay, quoted, ...mentions },
  required: ['number'],
}

export interface ReactionBody {
  key: Key
  reaction: string
}
export const reactionSchema: Schema = {
  type: 'object',
  properties: { key, reaction: text },
  required: ['key', 'reaction'],
}
