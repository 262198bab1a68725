import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

/** '#rrggbb' */
export const categoryColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/i))
export const defaultCategoryColor = '#6b7280'

/** The categories that contacts are offered, the most important first. */
export const listCategories = endpoint({
  method: 'GET',
  path: '/api/contact-categories',
  summary: 'As categorias de contato',
  needs: [['canViewContacts', 'canViewConversations']],
  audit: reading,
  reply: z.array(z.object({ id, name: z.string(), color: categoryColor })),
})
