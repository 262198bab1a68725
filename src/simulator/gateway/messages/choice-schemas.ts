import { delay, mentions, number, quoted, text } from '#simulator/gateway/schema-parts.ts'
import type { QuotedBody } from '#simulator/gateway/schema-parts.ts'
import type { Schema } from '#simulator/gateway/validation.ts'

/** Request schemas of polls, lists, buttons and stories, and types of the validated bodies. */

export interface PollBody {
  number: string
  name: string
  selectableCount: number
  values: string[]
  delay?: number
  quoted?: QuotedBody
}
export const pollSchema: Schema = {
  type: 'object',
  properties: {
    number,
    name: text,
    selectableCount: { type: 'integer', minimum: 0, maximum: 10 },
    values: { type: 'array', minItems: 2, maxItems: 10, items: text },
    delay,
    quoted,
    ...mentions,
  },
  required: ['number', 'name', 'selectableCount', 'values'],
}

export interface ListBody {
  number: string
  title: string
  description?: string
  footerText: string
  buttonText: string
  sections: { title: string; rows: { title: string; description?: string; rowId: string }[] }[]
  delay?: number
  quoted?: QuotedBody
}
const rows: Schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { title: text, description: text, rowId: text },
    required: ['title', 'rowId'],
  },
}
export const listSchema: Schema = {
  type: 'object',
  properties: {
    number,
    title: text,
    description: text,
    footerText: text,
    buttonText: text,
    sections: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { title: text, rows }, required: ['title', 'rows'] },
    },
    delay,
    quoted,
    ...mentions,
  },
  required: ['number', 'title', 'footerText', 'buttonText', 'sections'],
}

export interface ButtonsBody {
  number: string
  title?: string
  description?: string
  footer?: string
  buttons?: { type: string; displayText?: string; id?: string }[]
  delay?: number
  quoted?: QuotedBody
}
export const buttonsSchema: Schema = {
  type: 'object',
  properties: {
    number,
    title: text,
    description: text,
    footer: text,
    buttons: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['reply', 'copy', 'url', 'call', 'pix'] },
          displayText: text,
          id: text,
        },
        required: ['type'],
      },
    },
    delay,
    quoted,
    ...mentions,
  },
  required: ['number'],
}

export interface StatusBody {
  type: 'text' | 'image' | 'audio' | 'video'
  content: string
  caption?: string
  backgroundColor?: string
  font?: number
  statusJidList?: string[]
  allContacts?: boolean
}
export const statusSchema: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['text', 'image', 'audio', 'video'] },
    content: text,
    caption: text,
    backgroundColor: text,
    font: { type: 'integer', minimum: 0, maximum: 5 },
    statusJidList: { type: 'array', minItems: 1, items: text },
    allContacts: { type: 'boolean', enum: [true, false] },
  },
  required: ['type', 'content'],
}
