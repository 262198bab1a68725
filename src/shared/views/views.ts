import * as z from 'zod/mini'
import { listFilterFields } from '#shared/views/list-filters.ts'
import { listOrders, listTabs } from '#shared/conversations/list/list-view.ts'
import { ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

/** What a view of the list shows: a tab with filters, in an order. 'Minhas' are those of whoever looks. */
export const viewContent = z.object({
  tab: z.enum(listTabs),
  order: z.enum(listOrders),
  ...listFilterFields,
})
export type ViewContent = z.infer<typeof viewContent>

export const savedView = z.object({
  id,
  name: z.string(),
  content: viewContent,
  ownerId: id,
  ownerName: z.string(),
  /** Others see it, too: the people of a sector, or everybody (null). */
  isShared: z.boolean(),
  sectorId: z.nullable(id),
  /** The caller may change and delete it. */
  isChangeable: z.boolean(),
  version: z.int(),
})
export type SavedView = z.infer<typeof savedView>

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  summary: 'As visões da lista que a pessoa vê, na ordem dela',
  act: 'viewConversations',
  audit: ownState,
  reply: z.array(savedView),
})
