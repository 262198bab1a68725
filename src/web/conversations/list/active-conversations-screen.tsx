import { useQuery } from '@tanstack/react-query'
import { MessageCircle, Search, UserRoundPlus } from 'lucide-react'
import { useEffect } from 'react'
import {
  activePageSizes,
  type Conversation,
  type ConversationPage,
} from '#shared/conversations/conversations.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useMe } from '#web/users/users.tsx'
import { CardsSkeleton } from './cards-skeleton.tsx'
import { ConversationCard } from './conversation-card.tsx'
import { conversationQueries, type ListFilter } from '#web/conversations/cache/queries.ts'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { SoundControls } from '#web/conversations/alerts/sound-controls.tsx'
import { SoundHint } from '#web/conversations/alerts/sound-hint.tsx'
import { SelectButton, SelectionBar } from '#web/conversations/selection/selection.tsx'
import { type Selection, useSelection } from '#web/conversations/selection/use-selection.ts'
import { TakeNext } from './take-next.tsx'
import { useListFilter } from './use-list-filter.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const sizeOptions = activePageSizes.map((size) => ({ value: String(size), label: `${size} itens` }))

const noRows: readonly Conversation[] = []

/** `/conversas-ativas`: every open conversation visible to the person, as cards. */
export function ActiveConversationsScreen() {
  const { filter, change, typed, setTyped } = useListFilter()
  const list = useQuery(conversationQueries.list(filter))
  const shownList = JSON.stringify(filter)
  const steady = useSteadyRows(list.data?.conversations ?? noRows, shownList)
  const selection = useSelection(steady.shown, shownList)
  const totalPages = list.data?.pagination.totalPages ?? 1
  useEffect(() => {
    // The last page became empty.
    if (list.data && !list.isPlaceholderData && filter.page > Math.max(1, totalPages))
      change({ page: Math.max(1, totalPages) })
  })

  return (
    <div className="flex h-full min-h-0 flex-col px-4 pt-4 md:px-6 md:pt-6 lg:px-8">
      <div className="mx-auto flex min-h-0 w-full max-w-[1136px] flex-1 flex-col">
        <header className="mb-3 flex items-center gap-2 md:mb-5 md:items-end">
          <div className="min-w-0 flex-1">
            <h1 className="text-xl font-semibold tracking-title">Conversas Ativas</h1>
            <p className="mt-0.5 min-h-[18px] text-sm text-ink-2 tabular-nums" aria-live="polite">
              {list.data && rangeText(list.data)}
            </p>
          </div>
          <SelectButton selection={selection} />
          <SoundControls />
        </header>
        <SoundHint />
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchField
            className="md:max-w-[360px]"
            value={typed}
            onChange={setTyped}
            placeholder="Buscar por nome ou telefone..."
          />
          <TakeNext
            trigger={(take, isTaking) => (
              <Button
                variant="primary"
                icon={UserRoundPlus}
                onClick={take}
                isBusy={isTaking}
                busyLabel="Assumindo..."
                className="max-md:w-full"
              >
                Assumir próxima
              </Button>
            )}
          />
          <Select
            aria-label="Itens por página"
            className="ml-auto hidden md:flex"
            fieldSize="bar"
            value={String(filter.limit)}
            onChange={(value) => change({ limit: Number(value) })}
            options={sizeOptions}
          />
        </div>
        <div className="relative flex min-h-0 flex-1 flex-col">
          <List
            list={list}
            filter={filter}
            steady={steady}
            selection={selection}
            onClearSearch={() => setTyped('')}
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

/** 'X-Y de N conversas' */
function rangeText({ conversations, pagination }: ConversationPage): string {
  if (conversations.length === 0) return 'Nenhuma conversa encontrada'
  const first = (pagination.currentPage - 1) * pagination.itemsPerPage + 1
  return `${first}-${first + conversations.length - 1} de ${pagination.totalItems} conversas`
}

function List({
  list,
  filter,
  steady,
  selection,
  onClearSearch,
}: {
  list: {
    data: ConversationPage | undefined
    error: Error | null
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
  filter: ListFilter
  steady: ReturnType<typeof useSteadyRows>
  selection: Selection
  onClearSearch: () => void
}) {
  if (!list.data && list.error instanceof ApiError && list.error.status === 403) return <DeniedState />
  if (!list.data && list.error)
    return (
      <ErrorState
        description="Não foi possível carregar as conversas."
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    )
  if (!list.data) return <CardsSkeleton />
  if (list.data.conversations.length === 0)
    return filter.search !== '' ? (
      <EmptyState
        icon={Search}
        title="Nenhuma conversa corresponde à busca aplicada"
        action={<Button onClick={onClearSearch}>Limpar busca</Button>}
      />
    ) : (
      <EmptyState
        icon={MessageCircle}
        title="Não há conversas ativas no momento"
        description="Quando um cliente escrever, a conversa aparece aqui."
      />
    )
  return <Cards {...steady} selection={selection} />
}

function Cards({ shown, hold, selection }: ReturnType<typeof useSteadyRows> & { selection: Selection }) {
  const { id: userId } = useMe()
  const nowMs = useNow(30_000)
  const unread = useUnread()
  return (
    <div className="thin-scroll -mx-1 min-h-0 flex-1 overflow-y-auto px-1">
      <ul
        {...hold}
        aria-label="Conversas ativas"
        className={cn('grid gap-2 pt-0.5 pb-4', selection.isOn && 'pb-16')}
      >
        {shown.map((row) => (
          <li key={row.id} className="min-w-0">
            <ConversationCard
              conversation={row}
              unread={unread(row)}
              isMine={row.assignedUserId === userId}
              selection={selection}
              nowMs={nowMs}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
