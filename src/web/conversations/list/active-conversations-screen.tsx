import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import {
  activePageSizes,
  type Conversation,
  type ConversationPage,
} from '#shared/conversations/conversations.ts'
import { cn } from '#web/ui/cn.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { fetchAhead } from '#web/ui/on-demand.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { SoundControls } from '#web/conversations/alerts/sound-controls.tsx'
import { SoundHint } from '#web/conversations/alerts/sound-hint.tsx'
import { isInView, orderOf } from '#web/conversations/cache/list-order.ts'
import { conversationQueries, type ListFilter } from '#web/conversations/cache/queries.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { ConversationList } from './conversation-list.tsx'
import { DisplayMenu } from '#web/conversations/list/controls/display-menu.tsx'
import { ListTabs } from '#web/conversations/list/controls/list-tabs.tsx'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { OrderMenu } from '#web/conversations/list/controls/order-menu.tsx'
import { TakeNextButton } from '#web/conversations/list/controls/take-next.tsx'
import { useListFilter } from '#web/conversations/list/controls/use-list-filter.ts'
import { useSearchCommand } from '#web/conversations/list/controls/use-search-command.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const titleLook = 'flex-1 text-xl font-semibold tracking-title max-md:text-lg max-md:whitespace-nowrap'

const noRows: readonly Conversation[] = []

/** `/conversas-ativas`: every open conversation visible to the person, as cards. */
export function ActiveConversationsScreen() {
  const { filter, change, typed, setTyped } = useListFilter()
  const open = useQuery(conversationQueries.open())
  // All open conversations are known already, so that another tab, page or order is shown at once.
  const placeholderData = (before: ConversationPage | undefined) =>
    open.data && filter.search === '' ? pageOf(open.data, filter) : before
  const list = useQuery({ ...conversationQueries.list(filter), placeholderData })
  const unread = useUnread()
  const parts = useNumberParts()
  const { instanceId } = filter
  const onNumber = (chosen: number | undefined) => change({ instanceId: chosen })
  const rows = useMemo(
    () => (open.data ?? noRows).filter((row) => isInView(row, { instanceId })),
    [open.data, instanceId],
  )
  const shownList = JSON.stringify(filter)
  const steady = useSteadyRows(list.data?.conversations ?? noRows, shownList)
  const selection = useSelection(steady.shown, shownList)
  const searchField = useRef<HTMLInputElement>(null)
  useSearchCommand(searchField)
  const totalPages = list.data?.pagination.totalPages ?? 1
  useEffect(fetchAhead, [])
  useEffect(() => {
    // The last page became empty.
    if (list.data && !list.isPlaceholderData && filter.page > Math.max(1, totalPages))
      change({ page: Math.max(1, totalPages) })
  })

  return (
    <div className="flex h-full min-h-0 flex-col px-4 pt-4 md:px-6 md:pt-6 lg:px-8">
      <div className="mx-auto flex min-h-0 w-full max-w-[1136px] flex-1 flex-col">
        <header className="mb-3 flex items-center gap-x-2 max-md:flex-wrap md:mb-5 md:items-end">
          <div className="min-w-0 flex-1 max-md:contents">
            <h1 className={titleLook}>Conversas Ativas</h1>
            <p
              aria-live="polite"
              className={cn(
                'mt-0.5 min-h-[18px] text-sm text-ink-2 tabular-nums',
                'max-md:order-last max-md:basis-full',
              )}
            >
              {list.data && rangeText(list.data)}
            </p>
          </div>
          <SoundControls />
        </header>
        <SoundHint />
        <ListTabs
          tab={filter.tab}
          onChange={(tab) => change({ tab })}
          rows={rows}
          unread={unread}
          userId={filter.userId}
          className="mb-3"
        />
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchField
            ref={searchField}
            className="flex-1 md:max-w-[360px]"
            value={typed}
            onChange={setTyped}
            placeholder="Buscar por nome ou telefone..."
          />
          <DisplayMenu
            tab={filter.tab}
            limit={filter.limit}
            onLimit={(limit) => change({ limit })}
            onSelect={selection.begin}
            instanceId={instanceId}
            onNumber={onNumber}
          />
          <TakeNextButton variant="primary" className="max-md:w-full" />
          <div className="ml-auto flex items-center gap-2 max-md:hidden">
            <SelectButton selection={selection} size="md" />
            {parts && <parts.NumberMenu instanceId={instanceId} onChange={onNumber} />}
            <OrderMenu tab={filter.tab} />
            <PageSize sizes={activePageSizes} limit={filter.limit} onLimit={(limit) => change({ limit })} />
          </div>
        </div>
        {parts && (
          <parts.NumberStrip
            instanceId={instanceId}
            onChange={onNumber}
            className="-mt-2 mb-2 px-0 md:hidden"
          />
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <ConversationList
            list={list}
            filter={filter}
            steady={steady}
            selection={selection}
            onClearSearch={() => setTyped('')}
            onAllNumbers={() => onNumber(undefined)}
          />
          {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
        </div>
        {totalPages > 1 && (
          <footer className="flex min-h-12 flex-none items-center border-t border-line py-1 md:min-h-[52px]">
            <Pager page={filter.page} totalPages={totalPages} onPage={(page) => change({ page })} />
          </footer>
        )}
      </div>
    </div>
  )
}

/** The page as the server would cut it. */
function pageOf(rows: readonly Conversation[], filter: ListFilter): ConversationPage {
  const { page, limit } = filter
  const all = rows.filter((row) => isInView(row, filter)).sort(orderOf(filter))
  const totalPages = Math.max(1, Math.ceil(all.length / limit))
  return {
    conversations: all.slice((page - 1) * limit, page * limit),
    pagination: {
      currentPage: page,
      itemsPerPage: limit,
      totalItems: all.length,
      totalPages,
      hasNextPage: page < totalPages,
    },
  }
}

/** 'X-Y de N conversas' */
function rangeText({ conversations, pagination }: ConversationPage): string {
  if (conversations.length === 0) return 'Nenhuma conversa encontrada'
  const first = (pagination.currentPage - 1) * pagination.itemsPerPage + 1
  return `${first}-${first + conversations.length - 1} de ${pagination.totalItems} conversas`
}
