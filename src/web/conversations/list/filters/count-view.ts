import type { Conversation } from '#shared/conversations/conversations.ts'
import { isInTab } from '#shared/conversations/list/list-view.ts'
import { type ListMoment, meets } from '#shared/views/meets.ts'
import type { ViewContent } from '#shared/views/views.ts'

/** How many of the open conversations a view shows. */
export const countView = (
  rows: readonly Conversation[],
  { tab, ...filters }: ViewContent,
  userId: number,
  moment: ListMoment,
): number =>
  rows.filter((row) => isInTab(row, tab, userId, filters.snoozed) && meets(row, filters, moment)).length
