import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ListTab } from '#shared/conversations/list/list-view.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { useCan, userQueries } from '#web/users/users.tsx'
import { meanTime } from '#shared/text/time/mean-time.ts'

/**
 * The current figures in one card, without the blocks that the caller may not see.
 * @param stats undefined while loading
 */
export function StatsFigures({ stats }: { stats: Stats | undefined }) {
  const has = (...keys: (keyof Stats)[]) => !stats || keys.some((key) => stats[key] !== undefined)
  const hasQueue = has('waiting', 'inProgress', 'completedToday')
  const hasTimes = has('averageResponseTimeMonthly', 'averageResponseTimeWeekly')
  const hasOperators = has('operatorsOnline', 'totalOperators')
  if (!hasQueue && !hasTimes && !hasOperators) return null
  return (
    <div className="@container mb-4">
      <div
        aria-busy={!stats}
        className="flex flex-col rounded-card border border-line bg-surface @min-[54rem]:flex-row"
      >
        {hasQueue && <QueueBlock stats={stats} />}
        {hasTimes && (
          <Block title="Tempo Médio" className="@min-[54rem]:flex-[1.35]">
            <div className="grid grid-cols-2 gap-4">
              <MeanFigure label="Mensal" period="month" seconds={stats && stats.averageResponseTimeMonthly} />
              <MeanFigure label="Semanal" period="week" seconds={stats && stats.averageResponseTimeWeekly} />
            </div>
            <p className="mt-2.5 text-xs text-ink-3">Da mensagem do cliente até a resposta</p>
          </Block>
        )}
        {hasOperators && <OperatorsBlock stats={stats} />}
      </div>
    </div>
  )
}

const partsLook = [
  'grid grid-cols-[auto_auto_auto] justify-between gap-2',
  '@min-[54rem]:grid-cols-3 @min-[54rem]:gap-4',
].join(' ')

function QueueBlock({ stats }: { stats: Stats | undefined }) {
  const mayList = useCan('viewConversations')
  const seesAll = useCan('viewWholeArchive')
  const today = stats?.today
  const list = (tab: ListTab) => (mayList ? `/conversas-ativas?tab=${tab}` : undefined)
  const parts = [
    { label: 'Aguardando', count: stats?.waiting, colour: 'bg-amber', to: list('waiting') },
    { label: 'Em andamento', count: stats?.inProgress, colour: 'bg-chart-1', to: list('going') },
    {
      label: 'Finalizados hoje',
      count: stats?.completedToday,
      colour: 'bg-chart-2',
      to: seesAll && today ? `/conversas-arquivadas?from=${today}&to=${today}&history=without` : undefined,
    },
  ]
  const total = parts.reduce((sum, part) => sum + (part.count ?? 0), 0)
  return (
    <Block title="Status da Fila" className="@min-[54rem]:flex-[2.1]">
      <div className={partsLook}>
        {parts.map(({ label, count, colour, to }) => (
          <Figure
            key={label}
            label={label}
            to={to}
            mark={<i className={`size-2 flex-none rounded-[2px] ${colour}`} />}
            value={stats && String(count ?? '--')}
          />
        ))}
      </div>
      <div aria-hidden className="mt-3.5 flex h-1.5 gap-0.5 overflow-hidden rounded-[3px] bg-sunken">
        {parts.map(
          ({ label, count, colour }) =>
            !!count && <i key={label} className={colour} style={{ width: `${(100 * count) / total}%` }} />,
        )}
      </div>
    </Block>
  )
}

/** More marks than this would not be legible. */
const mostPips = 24

function OperatorsBlock({ stats }: { stats: Stats | undefined }) {
  const online = stats?.operatorsOnline ?? 0
  const total = stats?.totalOperators ?? 0
  return (
    <Block title="Operadores Online" className="@min-[54rem]:flex-1">
      <Figure
        label={total === 1 ? 'operador' : 'operadores'}
        value={
          stats && (
            <>
              <Popover
                label="Operadores on-line"
                trigger={
                  <button
                    type="button"
                    title="Ver quem está on-line"
                    className="rounded-[5px] hover:text-accent-text hover:underline"
                  >
                    {online}
                  </button>
                }
              >
                <OnlineOperators />
              </Popover>
              <span className="text-xl font-normal">/{total}</span>
            </>
          )
        }
      />
      <div aria-hidden className="mt-3.5 flex gap-1">
        {Array.from({ length: Math.min(total, mostPips) }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- pips differ only in their position
          <i
            key={index}
            className={`h-1.5 flex-1 rounded-[3px] ${index < online ? 'bg-green' : 'bg-line'}`}
          />
        ))}
      </div>
    </Block>
  )
}

/** Who the number of operators on line counts. */
function OnlineOperators() {
  const { data, isError } = useQuery(userQueries.operators())
  const online = data?.filter(({ role, isOnline }) => role === 'operator' && isOnline)
  if (!online) return <p className="text-ink-2">{isError ? 'Não foi possível carregar.' : 'Carregando...'}</p>
  if (online.length === 0) return <p className="text-ink-2">Nenhum operador on-line.</p>
  return (
    <ul aria-label="Operadores on-line" className="grid gap-1">
      {online.map(({ id, name }) => (
        <li key={id} className="max-w-64 truncate" title={name} dir="auto">
          {name}
        </li>
      ))}
    </ul>
  )
}

const blockLook = [
  'min-w-0 border-line px-5 pt-3.5 pb-4 not-first:border-t @min-[54rem]:basis-0',
  '@min-[54rem]:not-first:border-t-0 @min-[54rem]:not-first:border-l',
].join(' ')

function Block({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`${blockLook} ${className}`}>
      <h2 className="mb-3 text-sm font-medium text-ink-2">{title}</h2>
      {children}
    </section>
  )
}

/** A mean time; leads to the report of the same period. @param seconds undefined while loading */
function MeanFigure({
  label,
  period,
  seconds,
}: {
  label: string
  period: 'month' | 'week'
  seconds: number | null | undefined
}) {
  const mayOpen = useCan('viewReports')
  return (
    <Figure
      label={label}
      to={mayOpen && typeof seconds === 'number' ? `/reports?period=${period}` : undefined}
      value={seconds === undefined ? undefined : <MeanTime seconds={seconds} />}
    />
  )
}

const valueLook = [
  'flex h-8 items-center justify-self-start text-2xl font-semibold',
  'tracking-figure whitespace-nowrap tabular-nums',
].join(' ')

/** @param value undefined while loading */
function Figure({
  label,
  mark,
  value,
  to,
}: {
  label: string
  mark?: ReactNode
  value: ReactNode
  /** The list behind it. */
  to?: string | undefined
}) {
  return (
    <div className="grid gap-0.5">
      <p className={valueLook}>
        {to !== undefined && value !== undefined ? (
          <Link
            href={to}
            title={`Ver ${label}`}
            className="flex items-center rounded-[5px] hover:text-accent-text hover:underline"
          >
            {value}
          </Link>
        ) : (
          (value ?? <Skeleton className="h-6 w-12" />)
        )}
      </p>
      <p className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-3">
        {mark}
        {label}
      </p>
    </div>
  )
}

/** '4 min 18 s' with small units; '--' without data. */
function MeanTime({ seconds }: { seconds: number | null | undefined }) {
  const parts = meanTime(seconds)
  if (!parts) return '--'
  return parts.map(({ amount, unit }) => (
    <Fragment key={unit}>
      {amount}
      <small className="mr-1.5 ml-[3px] text-base font-medium tracking-normal text-ink-2 last:mr-0">
        {unit}
      </small>
    </Fragment>
  ))
}
