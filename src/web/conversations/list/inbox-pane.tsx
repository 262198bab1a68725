import { Forward, type LucideIcon, SquarePen, UserRoundPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import { isFiltered } from '#shared/views/list-filters.ts'
import { paletteAsked } from '#web/platform/commands.ts'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { useCan } from '#web/users/users.tsx'
import { SoundControls } from '#web/conversations/alerts/sound-controls.tsx'
import { SoundHint } from '#web/conversations/alerts/sound-hint.tsx'
import { HandOver } from '#web/conversations/hand-over/hand-over.tsx'
import { LookMenu } from '#web/conversations/list/controls/display-menu.tsx'
import { FilterChips } from '#web/conversations/list/controls/chips.tsx'
import { FilterButton } from '#web/conversations/list/controls/filter-button.tsx'
import { noFilters } from '#web/conversations/list/filters/list-address.ts'
import { ListTabs } from '#web/conversations/list/controls/list-tabs.tsx'
import { OrderMenu } from '#web/conversations/list/controls/order-menu.tsx'
import { TakeNext } from '#web/conversations/list/controls/take-next.tsx'
import { useSearchCommand } from '#web/conversations/list/controls/use-search-command.ts'
import { SavedViews } from '#web/conversations/list/controls/saved-views.tsx'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { ConversationList } from './conversation-list.tsx'
import { rangeText, useInbox, useListedRows } from './use-inbox.ts'

/**
 * The open conversations beside the chat, where both have room: another chat is one click or one key away.
 * @param openId the conversation of the chat; absent: none is open, and the list is the screen
 */
export function InboxPane({ openId }: { openId?: number }) {
  const inbox = useInbox(openId)
  const { filter, change, typed, setTyped, list, unread, selection, totalPages } = inbox
  const { tab, sectorId } = filter
  const mayStart = useCan('startConversation')
  const searchField = useRef<HTMLInputElement>(null)
  useSearchCommand(searchField)
  usePageOf(openId, filter, change)
  const pageSize = (
    <PageSize sizes={activePageSizes} limit={filter.limit} onLimit={(limit) => change({ limit })} />
  )
  const Title = openId === undefined ? 'h1' : 'h2'

  return (
    <section
      aria-label="Conversas"
      className="relative flex w-(--width-list) flex-none flex-col border-r border-line bg-surface"
    >
      <div className="grid flex-none grid-cols-[minmax(0,1fr)] gap-2 px-3 pt-3">
        <div>
          <div className="flex items-start">
            <Title className="min-w-0 flex-1 truncate text-lg font-semibold tracking-title">
              Conversas Ativas
            </Title>
            <FilterButton list={inbox} count={inbox.count} at="icon" />
            <OrderMenu tab={filter.tab} order={filter.order} onOrder={(order) => change({ order })} isSmall />
            <LookMenu />
            <SelectButton selection={selection} />
            {mayStart && (
              <IconButton
                label="Nova conversa"
                icon={SquarePen}
                size="sm"
                onClick={() => paletteAsked.emit('')}
              />
            )}
          </div>
          <p aria-live="polite" className="min-h-[18px] truncate text-sm text-ink-2 tabular-nums">
            {list.data && rangeText(list.data)}
          </p>
        </div>
        <div className="flex h-7 items-center">
          <SoundControls isSmall />
        </div>
        <SearchField
          ref={searchField}
          value={typed}
          onChange={setTyped}
          placeholder="Buscar por nome ou telefone..."
        />
        <SoundHint />
      </div>
      <ListTabs
        tab={tab}
        isElsewhere={inbox.view !== undefined}
        onChange={(next) => change({ tab: next })}
        rows={inbox.rows}
        unread={unread}
        userId={filter.userId}
        className="mt-1 flex-none px-3"
      >
        <SavedViews list={inbox} rows={inbox.rows} moment={inbox.moment} />
      </ListTabs>
      {isFiltered(inbox.filters) && (
        <FilterChips
          filters={inbox.filters}
          onChange={change}
          onClear={() => change(noFilters)}
          className="flex-none border-b border-line px-3 py-1.5"
        />
      )}
      {tab === 'mine' && (list.data?.conversations.length ?? 0) > 0 && (
        <HandOver
          trigger={(ask) => ask && <StripButton icon={Forward} label="Passar meu turno" onClick={ask} />}
        />
      )}
      {tab === 'queue' && (
        <TakeNext
          sectorId={sectorId}
          trigger={(take, isTaking) => (
            <StripButton
              icon={UserRoundPlus}
              label={isTaking ? 'Assumindo...' : 'Assumir próxima'}
              isBusy={isTaking}
              onClick={take}
            />
          )}
        />
      )}
      {/* What floats over the end of the list leaves its pager free. */}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <ConversationList
          list={list}
          filter={filter}
          steady={inbox.steady}
          selection={selection}
          pane={{ openId }}
          onClearSearch={() => setTyped('')}
          onFilter={change}
        />
        {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
      </div>
      <footer
        className={cn(
          'flex flex-none items-start justify-end border-t border-line px-3 py-1.5',
          // As high as a pager, which most lists have, until it is known.
          !list.data && 'h-[77px]',
        )}
      >
        {totalPages > 1 ? (
          <Pager
            page={filter.page}
            totalPages={totalPages}
            onPage={(page) => change({ page })}
            beside={pageSize}
          />
        ) : (
          pageSize
        )}
      </footer>
    </section>
  )
}

/** Shows the page of a chat that was just opened, be it by a link. */
function usePageOf(
  openId: number | undefined,
  { page, limit }: ReturnType<typeof useInbox>['filter'],
  change: ReturnType<typeof useInbox>['change'],
): void {
  const listed = useListedRows()
  const at = listed.findIndex(({ id }) => id === openId)
  const shownFor = useRef<number>(undefined)
  useEffect(() => {
    if (at === -1 || shownFor.current === openId) return
    shownFor.current = openId
    const wanted = Math.floor(at / limit) + 1
    if (wanted !== page) change({ page: wanted })
  })
}

/** An action on the whole tab, above its rows. */
function StripButton(props: { icon: LucideIcon; label: string; isBusy?: boolean; onClick: () => void }) {
  const { icon: Icon, label, isBusy, onClick } = props
  return (
    <button
      type="button"
      onClick={onClick}
      aria-busy={isBusy || undefined}
      className={[
        'flex h-8 flex-none items-center gap-1.5 border-b border-line px-3 text-xs',
        'font-medium text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2',
      ].join(' ')}
    >
      <Icon aria-hidden size={12} />
      {label}
    </button>
  )
}
