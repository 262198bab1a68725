import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'
import { contact, contactForm, contactLimits } from './contacts.ts'

// What only the screens of contacts call: other pages do not load it.

const { name: formName, phone: formPhone, ...otherFields } = contactForm.shape

export const createContact = endpoint({
  method: 'POST',
  path: '/api/contacts',
  summary: 'Criar um contato',
  act: 'createContact',
  audit: 'contact.create',
  body: z.extend(z.partial(z.object(otherFields)), { name: formName, phone: formPhone }),
  reply: contact,
  status: 201,
})
export type NewContact = z.output<NonNullable<(typeof createContact)['body']>>

const oneContact = { params: z.object({ id: idParam }) }

/** Refused while a conversation is open. The number is free at once. */
export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  summary: 'Excluir um contato',
  ...oneContact,
  act: 'deleteContact',
  audit: 'contact.delete',
  ids: { id: 'contact' },
})

/** How long a deleted contact can be restored, in milliseconds. @see decisions §3 'contact deleted' */
export const restorableMs = 60_000

export const restoreContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/restore',
  summary: 'Desfazer a exclusão de um contato, até um minuto depois',
  ...oneContact,
  act: 'deleteContact',
  audit: 'contact.restore',
  ids: { id: 'contact' },
  reply: contact,
})

/** Completes the open conversations, without a text. */
export const blockContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/block',
  summary: 'Bloquear um contato: o que ele escreve não chega mais',
  ...oneContact,
  act: 'blockContact',
  audit: 'contact.block',
  ids: { id: 'contact' },
  reply: contact,
})

export const unblockContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/unblock',
  summary: 'Desbloquear um contato',
  ...oneContact,
  act: 'blockContact',
  audit: 'contact.unblock',
  ids: { id: 'contact' },
  reply: contact,
})

/** The tags that contacts have, the most frequent first. */
export const listTags = endpoint({
  method: 'GET',
  path: '/api/contacts/tags',
  summary: 'As etiquetas em uso, as mais usadas primeiro',
  act: 'viewContacts',
  audit: listing,
  query: z.object({ search: z.optional(z.string().check(z.maxLength(contactLimits.tag))) }),
  reply: z.array(z.object({ tag: z.string(), count: z.int() })),
})
