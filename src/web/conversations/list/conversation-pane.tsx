import { useQuery } from '@tanstack/react-query'
import { Forward, type LucideIcon, SquarePen, UserRoundPlus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isInTab, type ListTab } from '#shared/conversations/list-view.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { paletteAsked } from '#web/platform/commands.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useCan } from '#web/users/users.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { SoundSwitch } from '#web/conversations/alerts/sound-controls.tsx'
import { HandOver } from '#web/conversations/hand-over/hand-over.tsx'
import { placeParams } from '#web/conversations/cache/list-place.ts'
import { isInView, orderOf } from '#web/conversations/cache/list-order.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { useSelection } from '#web/conversations/selection/use-selection.ts'
import { ListTabs } from '#web/conversations/list/controls/list-tabs.tsx'
import { lastTab, orderChoices } from '#web/conversations/list/controls/list-choices.ts'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { OrderMenu } from '#web/conversations/list/controls/order-menu.tsx'
import { arrowStep, PaneRows } from './pane-rows.tsx'
import { searchedBy } from '#shared/conversations/searched-by.ts'
import { SearchMessages } from '#web/conversations/list/controls/search-messages.tsx'
import { TakeNext, TakeNextButton } from '#web/conversations/list/controls/take-next.tsx'
import { useWholePhone } from '#web/platform/whole-phone.ts'
import { numberIn, useOfferedNumber } from '#web/conversations/numbers/number-filter.ts'
import { useSearchCommand } from '#web/conversations/list/controls/use-search-command.ts'
import { useSteadyRows } from './use-steady-rows.ts'

/** The open conversations beside the chat; another chat is one click or one key away. */
export function ConversationPane({ selectedId, userId }: { selectedId: number; userId: number }) {
  const open = useQuery(conversationQueries.open())
  const unread = useUnread()
  const parts = useNumberParts()
  const [tab, setTab] = useState(lastTab)
  const order = orderChoices[tab].use()
  const [search, setSearch] = useState('')
  const phone = useWholePhone(search)
  const [number, setNumber] = useState(() => numberIn(placeParams()))
  const instanceId = useOfferedNumber(number)
  const { nameOf } = useNumbers()
  const rows = useMemo(
    () => (open.data ?? []).filter((row) => isInView(row, { instanceId })),
    [open.data, instanceId],
  )
  const shown = useMemo(() => {
    const isSearched = searchedBy(search, phone)
    const found = rows.filter((row) => isInTab(row, tab, userId) && isSearched(row))
    return order === 'start' ? found : found.sort(orderOf({ order }))
  }, [rows, tab, order, search, phone, userId])
  const list = `${tab} ${order} ${instanceId} ${search}`
  const steady = useSteadyRows(shown, list)
  const mayStart = useCan('startConversation')
  const selection = useSelection(steady.shown, list)
  useNeighbourKeys(steady.shown, selectedId)
  const searchField = useRef<HTMLInputElement>(null)
  const isShown = useMediaQuery('(min-width: 75rem)')
  useSearchCommand(searchField, isShown)

  return (
    <section
      aria-label="Conversas"
      className="relative hidden w-(--width-list) flex-none flex-col border-r border-line bg-surface lg:flex"
    >
      <div className="grid gap-2.5 px-3 pt-3">
        <div className="flex h-7 items-center">
          <h2 className="flex-1 text-lg font-semibold tracking-title">Conversas</h2>
          <SoundSwitch />
          {parts && <parts.NumberMenu instanceId={instanceId} onChange={setNumber} isSmall />}
          <OrderMenu tab={tab} isSmall />
          <SelectButton selection={selection} isShown={isShown} />
          {mayStart && (
            <IconButton
              label="Nova conversa"
              icon={SquarePen}
              size="sm"
              onClick={() => paletteAsked.emit('')}
            />
          )}
        </div>
        <SearchField
          ref={searchField}
          value={search}
          onChange={setSearch}
          placeholder="Buscar por nome ou telefone..."
        />
      </div>
      <ListTabs
        tab={tab}
        onChange={setTab}
        rows={rows}
        unread={unread}
        userId={userId}
        className="mt-1 px-3"
      />
      {parts && <parts.NumberStrip instanceId={instanceId} onChange={setNumber} />}
      {tab === 'mine' && shown.length > 0 && (
        <HandOver trigger={(ask) => <StripButton icon={Forward} label="Passar meu turno" onClick={ask} />} />
      )}
      {tab === 'queue' && (
        <TakeNext
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
      {open.isPending ? (
        <PaneSkeleton />
      ) : open.isError && !open.data ? (
        <ErrorState
          description="Não foi possível carregar as conversas."
          onRetry={() => void open.refetch()}
        />
      ) : shown.length === 0 ? (
        <EmptyPane tab={tab} search={search} />
      ) : (
        <PaneRows
          rows={steady.shown}
          hold={steady.hold}
          openId={selectedId}
          userId={userId}
          unread={unread}
          selection={selection}
          nameOf={instanceId === undefined ? nameOf : noName}
        />
      )}
      {selection.isOn && <SelectionBar selection={selection} onClose={selection.end} />}
    </section>
  )
}

/** All rows are of the same number. */
const noName = () => undefined

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

function EmptyPane({ tab, search }: { tab: ListTab; search: string }) {
  if (search !== '')
    return <EmptyState title="Nenhuma conversa encontrada" action={<SearchMessages typed={search} />} />
  if (tab === 'queue') return <EmptyState title="Ninguém espera na fila" />
  if (tab === 'all') return <EmptyState title="Nenhuma conversa encontrada" />
  return <EmptyState title="Você não tem conversas abertas" action={<TakeNextButton />} />
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
