import { ListFilter as FilterIcon, MessageCircle, Search, Smartphone } from 'lucide-react'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import { isFiltered, type ListFilters } from '#shared/views/list-filters.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useCan } from '#web/users/users.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import type { ListFilter } from '#web/conversations/cache/queries.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { CardsSkeleton } from './cards-skeleton.tsx'
import { ConversationCard } from '#web/conversations/list/row/conversation-card.tsx'
import { ConversationRow } from '#web/conversations/list/row/conversation-row.tsx'
import { filtersOf, noFilters } from '#web/conversations/list/filters/list-address.ts'
import { lookChoice } from '#web/conversations/list/controls/list-choices.ts'
import { SearchMessages } from '#web/conversations/list/controls/search-messages.tsx'
import { PaneRows } from './pane-rows.tsx'
import { TakeNextButton } from '#web/conversations/list/controls/take-next.tsx'
import type { useSteadyRows } from './use-steady-rows.ts'

const narrow = '(max-width: 47.99rem)'

/** A page of the open conversations: cards, or rows where it is narrow. */
export function ConversationList({
  list,
  filter,
  steady,
  selection,
  pane,
  onClearSearch,
  onFilter,
}: {
  list: {
    data: ConversationPage | undefined
    error: Error | null
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
  filter: ListFilter & { userId: number }
  steady: ReturnType<typeof useSteadyRows>
  selection: Selection
  /** It is beside the chat, or beside its place. */
  pane?: { openId: number | undefined }
  onClearSearch: () => void
  /** Takes a filter away. */
  onFilter: (next: ListFilters) => void
}) {
  const look = lookChoice.use()
  const isNarrow = useMediaQuery(narrow)
  const asRows = (isNarrow || pane !== undefined) && look === 'rows'
  if (!list.data && list.error instanceof ApiError && list.error.status === 403) return <DeniedState />
  if (!list.data && list.error)
    return (
      <ErrorState
        description="Não foi possível carregar as conversas."
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    )
  if (!list.data)
    return asRows ? <PaneSkeleton {...(!pane && { rowLook: 'h-(--height-row)' })} /> : <CardsSkeleton />
  if (list.data.conversations.length === 0)
    return filter.search === '' ? (
      isFiltered(filtersOf(filter)) ? (
        <EmptyState
          icon={FilterIcon}
          title="Nenhuma conversa com estes filtros"
          description="A lista volta a contar sozinha."
          action={<Button onClick={() => onFilter(noFilters)}>Limpar filtros</Button>}
        />
      ) : (
        <EmptyTab tab={filter.tab} isBesideChat={pane?.openId !== undefined} />
      )
    ) : (
      <EmptyState
        icon={Search}
        title="Nenhuma conversa corresponde à busca aplicada"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <SearchMessages typed={filter.search} />
            <Button onClick={onClearSearch}>Limpar busca</Button>
          </div>
        }
      />
    )
  return (
    <Items
      {...steady}
      asRows={asRows}
      pane={pane}
      userId={filter.userId}
      selection={selection}
      isOfOne={filter.instanceId !== undefined}
    />
  )
}

function EmptyTab({ tab, isBesideChat }: Pick<ListFilter, 'tab'> & { isBesideChat: boolean }) {
  const { isKnown, living } = useNumbers()
  const canAdd = useCan('manageGateway')
  if (isKnown && living.length === 0 && !canAdd)
    return (
      <EmptyState
        icon={Smartphone}
        title="Você não atende nenhum número"
        description="Peça a um administrador que dê um número de WhatsApp a você."
      />
    )
  if (tab === 'mine')
    return (
      <EmptyState
        icon={MessageCircle}
        title="Você não tem conversas abertas"
        description="Assuma a próxima da fila, ou espere que passem uma a você."
        // Elsewhere the button stands on the screen already.
        action={isBesideChat && <TakeNextButton />}
      />
    )
  if (tab === 'queue') return <EmptyState icon={MessageCircle} title="Ninguém espera na fila" />
  return (
    <EmptyState
      icon={MessageCircle}
      title="Não há conversas ativas no momento"
      description="Quando um cliente escrever, a conversa aparece aqui."
    />
  )
}

function Items({
  shown,
  hold,
  asRows,
  pane,
  userId,
  selection,
  isOfOne,
}: {
  shown: readonly Conversation[]
  hold: ReturnType<typeof useSteadyRows>['hold']
  asRows: boolean
  pane: { openId: number | undefined } | undefined
  userId: number
  selection: Selection
  /** They are all of the same number. */
  isOfOne: boolean
}) {
  const nowMs = useNow(30_000)
  const { nameOf } = useNumbers()
  const unread = useUnread()
  const shownName = isOfOne ? () => undefined : nameOf
  if (pane && asRows)
    return (
      <PaneRows
        rows={shown}
        hold={hold}
        openId={pane.openId}
        userId={userId}
        unread={unread}
        selection={selection}
        nameOf={shownName}
      />
    )
  const Item = asRows ? ConversationRow : ConversationCard
  return (
    <div
      className={cn(
        'thin-scroll min-h-0 flex-1 overflow-y-auto',
        asRows ? '-mx-4 border-t border-line' : pane ? 'bg-canvas px-2 pt-2' : '-mx-1 px-1',
      )}
    >
      <ul
        {...hold}
        aria-label="Conversas ativas"
        className={cn(
          '@container grid',
          asRows ? 'bg-surface' : 'gap-2 pt-0.5 pb-4',
          selection.isOn && 'pb-24',
        )}
      >
        {shown.map((row) => (
          <li key={row.id} className="min-w-0">
            <Item
              conversation={row}
              number={shownName(row.instanceId)}
              unread={unread(row)}
              isMine={row.assignedUserId === userId}
              selection={selection}
              {...(pane?.openId === row.id && { isHere: true })}
              nowMs={nowMs}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
