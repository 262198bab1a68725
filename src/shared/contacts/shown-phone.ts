import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam } from '#shared/users/users.ts'

/** How many numbers somebody from whom they are hidden may have shown within an hour. */
export const mostShownAnHour = 30

/**
 * Whoever sees all numbers gets it without a trace; from whom they are hidden needs the permission to have
 * one shown, and each time is recorded.
 */
export const showPhone = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/phone',
  summary: 'Mostrar o telefone de um contato a quem os telefones são ocultos',
  needs: [['canViewContacts', 'canViewConversations']],
  audit: { not: 'whoever sees all numbers sees it anyway', sometimes: 'contact.show_phone' },
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  reply: z.object({ contactId: id, number: z.nullable(z.string()) }),
})
