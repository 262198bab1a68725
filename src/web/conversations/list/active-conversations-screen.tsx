import { MessageCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { isFiltered } from '#shared/views/list-filters.ts'
import { hasPanes, useMediaQuery } from '#web/platform/browser/media-query.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { fetchAhead } from '#web/ui/on-demand.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { SoundControls } from '#web/conversations/alerts/sound-controls.tsx'
import { SoundHint } from '#web/conversations/alerts/sound-hint.tsx'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { ConversationList } from './conversation-list.tsx'
import { InboxPane } from './inbox-pane.tsx'
import { NeighbourKeys } from './neighbour-keys.tsx'
import { rangeText, useInbox, useListedRows } from './use-inbox.ts'
import { DisplayMenu } from '#web/conversations/list/controls/display-menu.tsx'
import { FilterChips } from '#web/conversations/list/controls/chips.tsx'
import { FilterButton } from '#web/conversations/list/controls/filter-button.tsx'
import { noFilters } from '#web/conversations/list/filters/list-address.ts'
import { SavedViews } from '#web/conversations/list/controls/saved-views.tsx'
import { ListTabs } from '#web/conversations/list/controls/list-tabs.tsx'
import { OrderMenu } from '#web/conversations/list/controls/order-menu.tsx'
import { TakeNextButton } from '#web/conversations/list/controls/take-next.tsx'
import { useListFilter } from '#web/conversations/list/controls/use-list-filter.ts'
import { useSearchCommand } from '#web/conversations/list/controls/use-search-command.ts'

const titleLook = 'flex-1 text-xl font-semibold tracking-title max-md:text-lg max-md:whitespace-nowrap'

/** `/conversas-ativas`: every open conversation visible to the person, beside the place of the chat. */
export function ActiveConversationsScreen() {
  const isBesideChat = useMediaQuery(hasPanes)
  useEffect(fetchAhead, [])
  if (!isBesideChat) return <ListScreen />
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1">
      <InboxPane />
      <NeighbourKeys />
      <section aria-label="Conversa" className="flex min-w-0 flex-1 flex-col bg-thread">
        <NoChat />
      </section>
    </div>
  )
}

/** In the place of the chat. */
function NoChat() {
  const hasRows = useListedRows().length > 0
  const { sectorId } = useListFilter().filter
  return (
    <EmptyState
      icon={MessageCircle}
      title="Escolha uma conversa"
      description={
        hasRows && (
          <>
            Com <KeyCap>Alt ↓</KeyCap> abre-se a primeira da lista.
          </>
        )
      }
      action={<TakeNextButton sectorId={sectorId} variant="primary" />}
    />
  )
}

/** Where there is no room for a chat beside the list. */
function ListScreen() {
  const inbox = useInbox()
  const { filter, change, typed, setTyped, list, selection, totalPages } = inbox
  const isNarrow = useMediaQuery('(max-width: 47.99rem)')
  const searchField = useRef<HTMLInputElement>(null)
  useSearchCommand(searchField)

  return (
    <div className="flex h-full min-h-0 flex-col px-4 pt-4 md:px-6 md:pt-6">
      <header className="mb-3 flex items-center gap-x-2 max-md:flex-wrap md:mb-5 md:items-end">
        <div className="min-w-0 flex-1 max-md:contents">
          <h1 className={titleLook}>Conversas Ativas</h1>
          <p
            aria-live="polite"
            className={[
              'mt-0.5 min-h-[18px] text-sm text-ink-2 tabular-nums',
              'max-md:order-last max-md:basis-full',
            ].join(' ')}
          >
            {list.data && rangeText(list.data)}
          </p>
        </div>
        <SoundControls />
      </header>
      <SoundHint />
      <ListTabs
        tab={filter.tab}
        isElsewhere={inbox.view !== undefined}
        onChange={(tab) => change({ tab })}
        rows={inbox.rows}
        unread={inbox.unread}
        userId={filter.userId}
        className="mb-3"
      >
        <SavedViews list={inbox} rows={inbox.rows} moment={inbox.moment} />
      </ListTabs>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          ref={searchField}
          className="flex-1 md:max-w-[360px]"
          value={typed}
          onChange={setTyped}
          placeholder="Buscar por nome ou telefone..."
        />
        {isNarrow && <FilterButton list={inbox} count={inbox.count} at="touch" />}
        <DisplayMenu
          tab={filter.tab}
          order={filter.order}
          limit={filter.limit}
          onLimit={(limit) => change({ limit })}
          onSelect={selection.begin}
          onOrder={(order) => change({ order })}
        />
        <TakeNextButton sectorId={filter.sectorId} variant="primary" className="max-md:w-full" />
        <div className="ml-auto flex items-center gap-2 max-md:hidden">
          <SelectButton selection={selection} size="md" />
          {!isNarrow && <FilterButton list={inbox} count={inbox.count} at="button" />}
          <OrderMenu tab={filter.tab} order={filter.order} onOrder={(order) => change({ order })} />
          <PageSize sizes={activePageSizes} limit={filter.limit} onLimit={(limit) => change({ limit })} />
        </div>
      </div>
      {isFiltered(inbox.filters) && (
        <FilterChips
          filters={inbox.filters}
          onChange={change}
          onClear={() => change(noFilters)}
          className="mb-3"
        />
      )}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <ConversationList
          list={list}
          filter={filter}
          steady={inbox.steady}
          selection={selection}
          onClearSearch={() => setTyped('')}
          onFilter={change}
        />
        {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
      </div>
      {totalPages > 1 && (
        <footer className="flex min-h-12 flex-none items-center border-t border-line py-1 md:min-h-[52px]">
          <Pager page={filter.page} totalPages={totalPages} onPage={(page) => change({ page })} />
        </footer>
      )}
    </div>
  )
}
