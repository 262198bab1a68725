import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import * as z from 'zod/mini'
import { scheduledPageSize } from '#shared/scheduled/scheduled.ts'
import { type ScheduledState, scheduledStates } from '#shared/scheduled/states.ts'
import { sectorAsked } from '#shared/sectors/sector-asked.ts'
import { pageParam } from '#shared/users/users.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { scheduledQueries } from './queries.ts'
import { ScheduledTable } from './scheduled-table.tsx'

/** `/agendadas`: the messages that are to be sent, and what became of others. */
export function ScheduledScreen() {
  return useCan('viewConversations') ? <ScheduledMessages /> : <DeniedState isPage />
}

const tabNames: Readonly<Record<ScheduledState, string>> = {
  pending: 'A enviar',
  failed: 'Não saíram',
  sent: 'Enviadas',
  cancelled: 'Canceladas',
}
const tabOrder = ['pending', 'failed', 'sent', 'cancelled'] as const
const owners = [
  { value: 'mine', label: 'Minhas' },
  { value: 'all', label: 'Todas' },
] as const

const fields = {
  state: z.optional(z.enum(scheduledStates)),
  of: z.optional(z.enum(['mine', 'all'])),
  sectorId: z.optional(sectorAsked),
  page: z.optional(pageParam),
}

function ScheduledMessages() {
  const overseesOthers = useCan('overseeScheduled')
  const { filter, change } = useUrlFilter(fields)
  const { state = 'pending', sectorId, page = 1 } = filter
  const of = overseesOthers ? (filter.of ?? 'all') : 'mine'
  const { data, error, isFetching, refetch } = useQuery(scheduledQueries.list({ state, of, sectorId, page }))
  const count = (one: ScheduledState) => data?.counts[one] ?? 0
  return (
    <Page
      title="Agendadas"
      isTabbed
      subtitle={
        <span aria-live="polite" className="block min-h-[18px] tabular-nums">
          {data && countText(data.counts)}
        </span>
      }
      actions={
        overseesOthers && (
          <>
            <Segmented
              label="De quem"
              value={of}
              options={owners}
              onChange={(next) => change({ of: next })}
            />
            <SectorChoice sectorId={sectorId} onChange={(next) => change({ sectorId: next })} />
          </>
        )
      }
    >
      <Tabs
        label="Mensagens agendadas"
        value={state}
        onChange={(next) => change({ state: scheduledStates.find((one) => one === next) })}
        tabs={tabOrder.map((value) => ({
          value,
          label: (
            <>
              {tabNames[value]}
              {data && <span className="font-normal text-ink-3 tabular-nums">{count(value)}</span>}
            </>
          ),
        }))}
      >
        <div className="mt-3 flex grow flex-col" aria-busy={isFetching}>
          {!data && error ? (
            <Card>
              <ErrorState
                description={error.message}
                isRetrying={isFetching}
                onRetry={() => void refetch()}
              />
            </Card>
          ) : !data ? (
            <ListSkeleton />
          ) : data.messages.length === 0 ? (
            <Card>
              <Nothing state={state} />
            </Card>
          ) : (
            <ScheduledTable label={tabNames[state]} messages={data.messages} />
          )}
          {data && (
            <Pager
              className="mt-3 flex-none"
              page={page}
              totalPages={Math.ceil(count(state) / scheduledPageSize)}
              onPage={(next) => change({ page: next })}
            />
          )}
        </div>
      </Tabs>
    </Page>
  )
}

function countText({ pending, failed }: Readonly<Record<ScheduledState, number>>): string {
  return `${pending} a enviar, ${failed} não ${failed === 1 ? 'saiu' : 'saíram'}`
}

function Nothing({ state }: { state: ScheduledState }) {
  return state === 'pending' ? (
    <EmptyState
      icon={CalendarClock}
      title="Nada agendado"
      description="O relógio ao lado de enviar agenda a mensagem que você escreveu."
    />
  ) : (
    <EmptyState
      icon={CalendarClock}
      title={
        {
          failed: 'Tudo o que estava agendado saiu',
          sent: 'Nada enviado ainda',
          cancelled: 'Nada cancelado',
        }[state]
      }
    />
  )
}

function SectorChoice({
  sectorId,
  onChange,
}: {
  sectorId: number | 'none' | undefined
  onChange: (sectorId: number | 'none' | undefined) => void
}) {
  const { living, areAny, areKnown } = useSectors()
  const { hasSectors } = useMe()
  // In its place from the beginning, where there are any.
  if (areKnown ? !areAny : !hasSectors) return null
  return (
    <Select
      aria-label="Setor"
      fieldSize="bar"
      value={sectorId === undefined ? 'all' : String(sectorId)}
      onChange={(next) => onChange(next === 'all' ? undefined : next === 'none' ? next : Number(next))}
      options={[
        { value: 'all', label: 'Todos os setores' },
        ...living.map(({ id, name }) => ({ value: String(id), label: name })),
        { value: 'none', label: 'Sem setor' },
      ]}
    />
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando..." className="grid gap-2">
      {Array.from({ length: 5 }, (_, at) => (
        <div key={at} className="flex items-center gap-4 rounded-card border border-line bg-surface p-3.5">
          <Skeleton className="w-24" />
          <Skeleton isRound className="size-7" />
          <Skeleton className="w-64 max-w-full" />
        </div>
      ))}
    </div>
  )
}
