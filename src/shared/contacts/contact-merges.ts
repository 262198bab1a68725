import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { clientName, clientPhone } from './client-phone.ts'
import { contact } from './contacts.ts'

// Contacts that are one person, and contacts that are not.

/** How long a merge can be undone, in milliseconds. */
export const undoableMs = 86_400_000

/** Why two contacts may be one person. */
export const duplicateReasons = ['number', 'typo', 'email', 'hidden_number'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const duplicate = z.object({
  reason: z.enum(duplicateReasons),
  /** The one that is older, whose conversations are usually more, first. */
  contacts: z.tuple([contact, contact]),
  /** How many conversations each has. */
  conversationCounts: z.tuple([z.int(), z.int()]),
})
export type Duplicate = z.infer<typeof duplicate>

export const listDuplicates = endpoint({
  method: 'GET',
  path: '/api/contacts/duplicates',
  summary: 'Contatos que parecem ser a mesma pessoa, pelo nome e pelo telefone',
  act: 'mergeContacts',
  audit: listing,
  reply: z.array(duplicate),
})

const merge = z.object({
  id,
  keptId: id,
  keptName: clientName,
  mergedName: clientName,
  mergedPhone: z.nullable(clientPhone),
  mergedBy: z.string(),
  mergedAt: instant,
})
export type ContactMerge = z.infer<typeof merge>

export const listMerges = endpoint({
  method: 'GET',
  path: '/api/contacts/merges',
  summary: 'As junções do último dia, que ainda podem ser desfeitas',
  act: 'mergeContacts',
  audit: listing,
  reply: z.array(merge),
})

/** Everything of the other one moves to this one, which keeps its number. */
export const mergeContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/merge',
  summary: 'Juntar a este contato outro que é a mesma pessoa',
  act: 'mergeContacts',
  audit: 'contact.merge',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  body: z.object({ otherId: id }),
  reply: contact,
})

export const undoMerge = endpoint({
  method: 'POST',
  path: '/api/contacts/merges/:id/undo',
  summary: 'Desfazer uma junção, até um dia depois',
  act: 'mergeContacts',
  audit: 'contact.part',
  ids: { id: 'merge' },
  params: z.object({ id: idParam }),
})

/** They are not suggested again, and not merged when one number leads to both. */
export const keepContactsApart = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/keep-apart',
  summary: 'Dizer que dois contatos são pessoas diferentes',
  act: 'mergeContacts',
  audit: 'contact.distinct',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  body: z.object({ otherId: id }),
})
