import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { categoryColor } from './contact-categories.ts'

// Categories as who manages them sees and changes them.

/** @see specification §9 'Category colour palette: 8 preset hex colours' */
export const categoryPalette = [
  '#2563eb',
  '#0891b2',
  '#16a34a',
  '#ca8a04',
  '#ea580c',
  '#dc2626',
  '#db2777',
  '#9333ea',
] as const

export const categoryLimits = { name: 40, description: 200 } as const

const priority = z.int('De 1 a 10').check(z.minimum(1, 'De 1 a 10'), z.maximum(10, 'De 1 a 10'))

/** @see specification §5 Category form */
export const categoryForm = z.object({
  name: z.string().check(
    z.trim(),
    z.refine((name) => !showsNothing(name), 'Nome é obrigatório'),
    z.maxLength(categoryLimits.name),
  ),
  /** '' for none. */
  description: z.string().check(z.trim(), z.maxLength(categoryLimits.description)),
  /** 1 is the most important. */
  priority,
  color: z
    .string()
    .check(
      z.minLength(1, { error: 'Cor é obrigatória', abort: true }),
      z.regex(/^#[0-9a-f]{6}$/i, 'Use o formato #rrggbb, como #2563eb'),
    ),
  isActive: z.boolean(),
})

const category = z.object({
  id,
  name: z.string(),
  description: z.nullable(z.string()),
  priority: z.int(),
  color: categoryColor,
  isActive: z.boolean(),
  /** Living ones that have it. */
  contactCount: z.int(),
  /** Sent back with a change, to detect changes by others meanwhile. */
  updatedAt: instant,
})
export type Category = z.infer<typeof category>

export const listManagedCategories = endpoint({
  method: 'GET',
  path: '/api/contact-categories/managed',
  summary: 'Todas as categorias, também as inativas, com o número de contatos de cada uma',
  act: 'manageCategories',
  audit: reading,
  reply: z.array(category),
})

const { name, color, ...otherFields } = categoryForm.shape

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/contact-categories',
  summary: 'Criar uma categoria',
  act: 'manageCategories',
  audit: 'category.create',
  body: z.extend(z.partial(z.object(otherFields)), { name, color }),
  reply: z.object({ id }),
  status: 201,
})
export type NewCategory = z.output<NonNullable<(typeof createCategory)['body']>>

/** A new name is also that of its contacts. */
export const updateCategory = endpoint({
  method: 'PUT',
  path: '/api/contact-categories/:id',
  summary: 'Mudar uma categoria: só o que vem no corpo muda',
  act: 'manageCategories',
  audit: 'category.change',
  ids: { id: 'category' },
  params: z.object({ id: idParam }),
  body: z.extend(z.partial(categoryForm), {
    /** The version that the caller has. Without it, the last change wins. */
    updatedAt: z.optional(instant),
  }),
})
export type CategoryChange = z.output<NonNullable<(typeof updateCategory)['body']>>

/** Its contacts have none then. */
export const deleteCategory = endpoint({
  method: 'DELETE',
  path: '/api/contact-categories/:id',
  summary: 'Excluir uma categoria',
  act: 'manageCategories',
  audit: 'category.delete',
  ids: { id: 'category' },
  params: z.object({ id: idParam }),
})
