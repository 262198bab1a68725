import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { normalizePhone } from './phone.ts'
import { id, idParam, instant } from './users.ts'

const categoryColor = z.string().regex(/^#[0-9a-f]{6}$/i)
export const defaultCategoryColor = '#6b7280'

/** The contact as a conversation's card and header show it. */
export const contactCard = z.object({
  id,
  name: z.string(),
  /** Digits with country code; null: known by LID alone. */
  phone: z.string().nullable(),
  category: z.string(),
  categoryColor,
  company: z.object({ id, name: z.string() }).nullable(),
  avatarUrl: z.string().nullable(),
  isBlocked: z.boolean(),
})
export type ContactCard = z.infer<typeof contactCard>

export const contact = contactCard.extend({
  email: z.string().nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
  createdAt: instant,
})
export type Contact = z.infer<typeof contact>

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contacts/:id',
  summary: 'Um contato',
  params: z.object({ id: idParam }),
  reply: contact,
})

/** Whoever has the number, new when nobody has it: how a shared card becomes a contact. */
export const contactByPhone = endpoint({
  method: 'POST',
  path: '/api/contacts/by-phone',
  summary: 'O contato de um número; criado quando ainda não existe',
  rows: ['POST /api/contacts/by-phone (known)', 'POST /api/contacts/by-phone (new)'],
  body: z.object({
    /** With its country code, or ten or eleven digits of Brazil. */
    phone: z
      .string()
      .regex(/^\+?\d{8,15}$/, 'Telefone inválido')
      .refine((phone) => normalizePhone(phone) !== undefined, 'Telefone inválido'),
    /** For a new one; blank: the number stands for it. */
    name: z.string().trim().max(200),
  }),
  reply: contactCard,
})

const category = z.object({ id, name: z.string(), color: categoryColor })

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/contact-categories',
  summary: 'As categorias de contato',
  reply: z.array(category),
})
