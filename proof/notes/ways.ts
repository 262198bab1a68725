import { formOf } from '../access/targets.ts'
import { picture } from '../access/world/messages.ts'
import type { Client, Form, Note, Office } from './office.ts'
import { replyMark } from './wire.ts'

/** A call that would send a note, or something of it, to a client. */
export interface Attempt {
  method: string
  path: string
  body?: unknown
  form?: Form
}

interface Given {
  office: Office
  note: Note
  client: Client
  /** Another client. */
  other: Client
  /** An open conversation of the client; that of the note if there is none. */
  openId: number
}

const of = ({ conversationId, id }: Note) => `/api/conversations/${conversationId}/messages/${id}`
const reply = ({ office }: Given) => `${replyMark}${office.next()}z`

/** Every call that takes the id of a message and does something at WhatsApp, and what leads there. */
export const ways: Readonly<Record<string, (given: Given) => Attempt>> = {
  quote: (given) => ({
    method: 'POST',
    path: `/api/conversations/${given.note.conversationId}/messages`,
    body: { content: reply(given), quotedMessageId: given.note.id },
  }),
  'quote with a file': (given) => ({
    method: 'POST',
    path: '/api/media/upload',
    form: formOf(
      {
        conversationId: String(given.note.conversationId),
        caption: reply(given),
        quotedMessageId: String(given.note.id),
      },
      picture,
    ),
  }),
  'draft with a quote': (given) => ({
    method: 'PUT',
    path: `/api/conversations/${given.note.conversationId}/draft`,
    body: { content: reply(given), quotedMessageId: given.note.id },
  }),
  'forward to the conversation': ({ note, openId }) => ({
    method: 'POST',
    path: `${of(note)}/forward`,
    body: { to: { conversationId: openId } },
  }),
  'forward to the client': ({ note, client }) => ({
    method: 'POST',
    path: `${of(note)}/forward`,
    body: { to: { contactId: client.contactId } },
  }),
  'forward to another client': ({ note, other }) => ({
    method: 'POST',
    path: `${of(note)}/forward`,
    body: { to: { contactId: other.contactId } },
  }),
  retry: ({ note }) => ({ method: 'POST', path: `${of(note)}/retry` }),
  react: ({ note }) => ({ method: 'PUT', path: `${of(note)}/reaction`, body: { emoji: '👍' } }),
  'take back a reaction': ({ note }) => ({
    method: 'PUT',
    path: `${of(note)}/reaction`,
    body: { emoji: '' },
  }),
  'edit at WhatsApp': (given) => ({ method: 'PUT', path: of(given.note), body: { content: reply(given) } }),
  'delete at WhatsApp': ({ note }) => ({ method: 'DELETE', path: of(note) }),
  undo: ({ note }) => ({ method: 'POST', path: `${of(note)}/undo` }),
}
