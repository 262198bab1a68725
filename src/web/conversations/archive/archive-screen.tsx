import { useQuery } from '@tanstack/react-query'
import { Archive, History, Search } from 'lucide-react'
import {
  type ArchivedPage,
  archiveOrders,
  archivePageSizes,
  mostFound,
} from '#shared/conversations/archive.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { useListEnd } from '#web/platform/browser/use-list-end.ts'
import { useLastPage } from '#web/platform/browser/use-page-filter.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { ArchiveFilters } from './archive-filters.tsx'
import { ArchivedCard } from './archived-card.tsx'
import { archiveQueries } from './queries.ts'
import { useArchiveFilter } from './use-archive-filter.ts'

/** `/conversas-arquivadas`: the completed conversations. @see specification §2 Archived list */
export function ArchiveScreen() {
  return useCan('viewConversations') ? <ArchiveList /> : <DeniedState isPage />
}

const searchLook = [
  'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1',
  'max-md:basis-full md:max-w-[460px]',
].join(' ')
const orderNames = { recent: 'Mais recentes', oldest: 'Mais antigas' }
const number = new Intl.NumberFormat('pt-BR')

function ArchiveList() {
  const { filter, change, narrow, clear, isFiltered, typed, setTyped, order, setOrder } = useArchiveFilter()
  const asOf = useListEnd(filter)
  const { data, error, isFetching, refetch } = useQuery(archiveQueries.page({ ...filter, asOf: asOf.value }))
  asOf.note(data && { page: data.pagination.currentPage, asOf: data.asOf })
  const nowMs = useNow(60_000)
  useLastPage(filter.page, data?.pagination.totalPages, (page) => change({ page }))
  const isSearch = filter.search !== ''
  return (
    <Page
      title="Arquivamento"
      subtitle={
        <span aria-live="polite" className="block min-h-[18px] tabular-nums">
          {data && rangeText(data)}
        </span>
      }
    >
      <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex flex-wrap items-start gap-2">
          <div className={searchLook}>
            <SearchField
              value={typed}
              onChange={setTyped}
              placeholder="Buscar por contato, telefone, protocolo ou mensagem..."
            />
            <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
              <History aria-hidden size={13} className="flex-none" />
              <span className="truncate">Buscando também no histórico de mensagens das conversas</span>
            </p>
          </div>
          <div className="flex items-center gap-2 max-md:w-full md:ml-auto">
            <Select
              aria-label="Ordem"
              fieldSize="bar"
              value={order}
              onChange={(next) => setOrder(archiveOrders.find((one) => one === next) ?? 'recent')}
              options={archiveOrders.map((value) => ({ value, label: orderNames[value] }))}
            />
            <PageSize sizes={archivePageSizes} limit={filter.limit} onLimit={(limit) => change({ limit })} />
          </div>
        </div>
        <ArchiveFilters filter={filter} onChange={narrow} />
        {data && data.corrected.length > 0 && (
          <p role="status" className="text-sm text-ink-2">
            Nada com “{filter.search}”. Mostrando conversas de{' '}
            <strong className="font-semibold text-ink">{data.corrected.join(', ')}</strong>.
          </p>
        )}
      </div>
      {!data && error ? (
        <Card>
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        </Card>
      ) : !data ? (
        <ListSkeleton />
      ) : data.conversations.length === 0 ? (
        <Card>
          {isFiltered ? (
            <EmptyState
              icon={Search}
              title="Nenhuma conversa encontrada"
              description="Tente ajustar a busca"
              action={<Button onClick={clear}>Limpar busca e filtros</Button>}
            />
          ) : (
            <EmptyState
              icon={Archive}
              title="Nenhuma conversa arquivada"
              description={
                data.isOwnOnly
                  ? 'As conversas finalizadas que foram suas aparecerão aqui'
                  : 'As conversas finalizadas aparecerão aqui'
              }
            />
          )}
        </Card>
      ) : (
        <ul aria-label="Conversas arquivadas" aria-busy={isFetching} className="grid gap-2">
          {data.conversations.map((row) => (
            <li key={row.id}>
              <ArchivedCard row={row} search={isSearch ? filter.search : ''} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      )}
      {data && (
        <Pager
          className="mt-3 flex-none"
          page={filter.page}
          totalPages={data.pagination.totalPages}
          onPage={(page) => change({ page })}
        />
      )}
    </Page>
  )
}

/** 'X-Y de N conversas' */
function rangeText({ conversations, pagination, hasMore }: ArchivedPage): string {
  if (conversations.length === 0) return ''
  const { currentPage, itemsPerPage, totalItems } = pagination
  const first = (currentPage - 1) * itemsPerPage + 1
  const last = first + conversations.length - 1
  const of = hasMore ? `mais de ${number.format(mostFound)}` : number.format(totalItems)
  const words = totalItems === 1 ? 'conversa' : 'conversas'
  return `${number.format(first)}-${number.format(last)} de ${of} ${words}`
}

function ListSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando..." className="grid gap-2">
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className="flex items-center gap-3.5 rounded-card border border-line bg-surface p-3.5">
          <Skeleton isRound className="size-10" />
          <span className="grid flex-1 gap-2">
            <Skeleton className="w-48" />
            <Skeleton className="w-72 max-w-full" />
          </span>
          <Skeleton className="w-32 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
