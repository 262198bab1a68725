import { useQuery } from '@tanstack/react-query'
import { Forward, UserRoundPlus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { HandOver } from '#web/conversations/hand-over/hand-over.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { ListTabs } from './list-tabs.tsx'
import { type PaneTab, paneTabs, searchedBy } from './pane-filter.ts'
import { arrowStep, PaneRows } from './pane-rows.tsx'
import { TakeNext } from './take-next.tsx'
import { useSteadyRows } from './use-steady-rows.ts'

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
  const list = `${tab} ${search}`
  const steady = useSteadyRows(shown, list)
  const selection = useSelection(steady.shown, list)
  useNeighbourKeys(steady.shown, selectedId)

  return (
    <section
      aria-label="Conversas"
      className="relative hidden w-(--width-list) flex-none flex-col border-r border-line bg-surface lg:flex"
    >
      <div className="grid gap-2.5 px-3 pt-3">
        <div className="flex h-7 items-center">
          <h2 className="flex-1 text-lg font-semibold tracking-title">Conversas</h2>
          <SelectButton selection={selection} />
        </div>
        <SearchField value={search} onChange={setSearch} placeholder="Buscar por nome ou telefone..." />
      </div>
      <ListTabs
        tab={tab}
        onChange={setTab}
        rows={rows}
        unread={unread}
        userId={userId}
        className="mt-1 px-3"
      />
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
        <PaneRows
          rows={steady.shown}
          hold={steady.hold}
          openId={selectedId}
          userId={userId}
          unread={unread}
          selection={selection}
        />
      )}
      {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
    </section>
  )
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
