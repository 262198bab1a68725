import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'
import { clientName, clientPhone } from './client-phone.ts'
import { categoryColor } from './contact-categories.ts'
import { phoneField } from './phone-field.ts'

/** A contact as shown on a conversation's card and header. */
export const contactCard = z.object({
  id,
  name: clientName,
  /** Digits with country code, or masked; null if only the LID is known. */
  phone: z.nullable(clientPhone),
  category: z.string(),
  categoryColor,
  company: z.nullable(z.object({ id, name: clientName })),
  avatarUrl: z.nullable(z.string()),
  isBlocked: z.boolean(),
})
export type ContactCard = z.infer<typeof contactCard>

export const contact = z.extend(contactCard, {
  email: z.nullable(z.string()),
  tags: z.array(z.string()),
  notes: z.nullable(z.string()),
  companyId: z.nullable(id),
  /** The sector to which their new conversations go; null: what else decides. */
  sectorId: z.nullable(id),
  isActive: z.boolean(),
  /** Anonymized: no act changes it any more. */
  isErased: z.optional(z.literal(true)),
  createdAt: instant,
  /** Sent back with a change, to detect changes by others meanwhile. */
  updatedAt: instant,
})
export type Contact = z.infer<typeof contact>

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contacts/:id',
  summary: 'Um contato',
  needs: [['canViewContacts', 'canViewConversations']],
  audit: reading,
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  reply: contact,
})

export const contactLimits = { name: 200, email: 200, notes: 10_000, tag: 40, tags: 20 } as const
/** Drops blank tags and, ignoring case, duplicates. */
const contactTags = z.pipe(
  z.array(z.string().check(z.trim(), z.maxLength(contactLimits.tag))).check(z.maxLength(contactLimits.tags)),
  z.transform((tags) => [
    ...new Map(tags.filter((tag) => tag !== '').map((tag) => [tag.toLocaleLowerCase('pt-BR'), tag])).values(),
  ]),
)

/** @see specification §5 Contact form */
export const contactForm = z.object({
  name: z.string().check(
    z.trim(),
    z.refine((name) => !showsNothing(name), 'Nome é obrigatório'),
    z.maxLength(contactLimits.name),
  ),
  phone: phoneField,
  /** '' for none. */
  email: z.union(
    [z.literal(''), z.email('Email inválido').check(z.maxLength(contactLimits.email))],
    'Email inválido',
  ),
  /** The category's name; '' for none. */
  category: z.string().check(z.trim(), z.maxLength(200)),
  notes: z.string().check(z.maxLength(contactLimits.notes)),
  tags: contactTags,
  companyId: z.nullable(id),
  sectorId: z.nullable(id),
})

export const updateContact = endpoint({
  method: 'PUT',
  path: '/api/contacts/:id',
  summary: 'Mudar um contato: só o que vem no corpo muda',
  act: 'editContact',
  audit: 'contact.change',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  body: z.extend(z.partial(contactForm), {
    /**
     * The version that the caller has: a later change by somebody else is a conflict. Without it, the last
     * change wins.
     */
    updatedAt: z.optional(instant),
  }),
  reply: contact,
})
export type ContactChange = z.output<NonNullable<(typeof updateContact)['body']>>

/** The stored copy of the contact's picture on WhatsApp. */
export const getContactAvatar = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/avatar',
  isUncounted: true,
  summary: 'A foto de um contato',
  needs: [['canViewContacts', 'canViewConversations']],
  audit: reading,
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  query: z.object({
    /** Identifies the picture, so that the answer may be cached. */
    v: z.optional(z.string().check(z.maxLength(64))),
  }),
  sendsFile: true,
})

/** Finds the contact with a number, or creates it: used for shared contact cards. */
export const contactByPhone = endpoint({
  method: 'POST',
  path: '/api/contacts/by-phone',
  summary: 'O contato de um número; criado quando ainda não existe',
  rows: {
    'POST /api/contacts/by-phone (known)': {
      needs: [['canViewContacts', 'canViewConversations']],
      audit: reading,
    },
    'POST /api/contacts/by-phone (new)': { act: 'createContact', audit: 'contact.create' },
  },
  body: z.object({
    /** In any spelling; without country code it is Brazilian. */
    phone: phoneField,
    /** The name of a new contact; if it shows nothing, its number. */
    name: z.pipe(
      z.string().check(z.trim(), z.maxLength(200)),
      z.transform((name) => (showsNothing(name) ? '' : name)),
    ),
  }),
  reply: contactCard,
})

export const listContacts = endpoint({
  method: 'GET',
  path: '/api/contacts',
  summary: 'Contatos por nome, com busca por nome, telefone ou e-mail e filtro por categoria',
  act: 'viewContacts',
  audit: listing,
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    search: z.optional(z.string().check(z.maxLength(200))),
    /** The category's name, ignoring case. */
    category: z.optional(z.string().check(z.maxLength(100))),
    /** A tag, ignoring case. */
    tag: z.optional(z.string().check(z.maxLength(contactLimits.tag))),
  }),
  reply: z.object({
    contacts: z.array(contact),
    pagination: z.object({
      page: z.int(),
      limit: z.int(),
      /** Of a search never more than `mostFound`. */
      total: z.int(),
      /** Whether the search finds more than `total`. */
      hasMore: z.optional(z.literal(true)),
      totalPages: z.int(),
    }),
  }),
})

/** What a search finds is counted up to this number. @see decisions §2 'pagination shapes' */
export const mostFound = 1000
