import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Forward, UserRoundPlus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { HandOver } from '#web/conversations/hand-over/hand-over.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { countUnread, useUnread } from '#web/conversations/mutations/reads.ts'
import { TakeNext } from './take-next.tsx'
import { useSteadyRows } from './use-steady-rows.ts'
import { paneTabs, type PaneTab, searchedBy } from './pane-filter.ts'
import { PaneRow } from './pane-row.tsx'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'

const rowPx = 56

/** The open conversations beside the chat; another chat is one click or one key away. */
export function ConversationPane({ selectedId, userId }: { selectedId: number; userId: number }) {
  const open = useQuery(conversationQueries.open())
  const unread = useUnread()
  const [tab, setTab] = useState<PaneTab>('all')
  const [search, setSearch] = useState('')
  const rows = useMemo(() => open.data ?? [], [open.data])
  const shown = useMemo(() => {
    const isSearched = searchedBy(search)
    return rows.filter((row) => paneTabs[tab].holds(row, userId) && isSearched(row))
  }, [rows, tab, search, userId])
  const steady = useSteadyRows(shown, `${tab} ${search}`)
  useNeighbourKeys(steady.shown, selectedId)

  return (
    <section
      aria-label="Conversas"
      className="hidden w-(--width-list) flex-none flex-col border-r border-line bg-surface lg:flex"
    >
      <div className="grid gap-2.5 px-3 pt-3">
        <h2 className="text-lg font-semibold tracking-title">Conversas</h2>
        <SearchField value={search} onChange={setSearch} placeholder="Buscar por nome ou telefone..." />
      </div>
      <div
        role="group"
        aria-label="Filtrar conversas"
        className="mt-1 flex gap-5 border-b border-line px-3 text-sm font-medium"
      >
        {(Object.keys(paneTabs) as PaneTab[]).map((each) => (
          <TabButton
            key={each}
            label={paneTabs[each].label}
            unread={countUnread(
              rows.filter((row) => paneTabs[each].holds(row, userId)),
              unread,
            )}
            isOn={each === tab}
            onClick={() => setTab(each)}
          />
        ))}
      </div>
      {tab === 'mine' && (
        <HandOver
          trigger={(ask) => (
            <button
              type="button"
              onClick={ask}
              className={[
                'flex h-8 flex-none items-center gap-1.5 border-b border-line px-3 text-xs',
                'font-medium text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2',
              ].join(' ')}
            >
              <Forward aria-hidden size={12} />
              Passar meu turno
            </button>
          )}
        />
      )}
      {tab === 'queue' && (
        <TakeNext
          trigger={(take, isTaking) => (
            <button
              type="button"
              onClick={take}
              aria-busy={isTaking || undefined}
              className={[
                'flex h-8 flex-none items-center gap-1.5 border-b border-line px-3 text-xs',
                'font-medium text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2',
              ].join(' ')}
            >
              <UserRoundPlus aria-hidden size={12} />
              {isTaking ? 'Assumindo...' : 'Assumir próxima'}
            </button>
          )}
        />
      )}
      {open.isPending ? (
        <PaneSkeleton />
      ) : open.isError && !open.data ? (
        <ErrorState
          description="Não foi possível carregar as conversas."
          onRetry={() => void open.refetch()}
        />
      ) : shown.length === 0 ? (
        <EmptyState title="Nenhuma conversa encontrada" />
      ) : (
        <PaneRows rows={steady.shown} hold={steady.hold} selectedId={selectedId} unread={unread} />
      )}
    </section>
  )
}

const chosenTabLook = [
  'font-semibold text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5',
  'after:rounded-[1px] after:bg-accent',
].join(' ')

function TabButton({
  label,
  unread,
  isOn,
  onClick,
}: {
  label: string
  /** Conversations with unread messages. */
  unread: number
  isOn: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`relative inline-flex h-10 items-center gap-1.5 whitespace-nowrap ${
        isOn ? chosenTabLook : 'text-ink-2 hover:text-ink'
      }`}
    >
      {label}
      {unread > 0 && (
        <span className="text-xs font-medium text-ink-3 tabular-nums">
          {unread}
          <span className="sr-only">{unread === 1 ? ' conversa não lida' : ' conversas não lidas'}</span>
        </span>
      )}
    </button>
  )
}

/** Only one row is in the tab order; the arrow keys move among them. */
function PaneRows({
  rows,
  hold,
  selectedId,
  unread,
}: {
  rows: readonly Conversation[]
  hold: ReturnType<typeof useSteadyRows>['hold']
  selectedId: number
  unread: (row: Conversation) => number
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const nowMs = useNow(30_000)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const selected = rows.findIndex((row) => row.id === selectedId)
  useEffect(() => {
    if (selected !== -1) virtualizer.scrollToIndex(selected, { align: 'auto' })
  }, [selected, virtualizer])

  const onArrow = (from: number, event: KeyboardEvent) => {
    const step = event.altKey ? 0 : arrowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(rows.length - 1, from + step))
    virtualizer.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"] a`)?.focus({ preventScroll: true }),
    )
  }
  return (
    <div ref={scroller} {...hold} className="min-h-0 flex-1 overflow-y-auto thin-scroll">
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return (
            row && (
              <li
                key={item.key}
                data-index={item.index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <PaneRow
                  conversation={row}
                  unread={unread(row)}
                  isHere={row.id === selectedId}
                  tabIndex={item.index === Math.max(selected, 0) ? 0 : -1}
                  nowMs={nowMs}
                  onKeyDown={(event) => onArrow(item.index, event)}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

function arrowStep(key: string) {
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

/** Alt+↑ and Alt+↓ open the previous and the next conversation of the displayed list. */
function useNeighbourKeys(rows: readonly Conversation[], selectedId: number): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const step = arrowStep(event.key)
      if (step === 0) return
      event.preventDefault()
      const here = rows.findIndex((row) => row.id === selectedId)
      const next = rows[here === -1 ? 0 : here + step]
      if (next) navigate(`/chat?conversation=${next.id}`)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [rows, selectedId, navigate])
}
