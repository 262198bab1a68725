import { Fragment, type ReactNode } from 'react'
import type { Stats } from '#shared/conversations/stats.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
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
    <div
      aria-busy={!stats}
      className="mb-4 flex flex-col rounded-card border border-line bg-surface md:flex-row"
    >
      {hasQueue && <QueueBlock stats={stats} />}
      {hasTimes && (
        <Block title="Tempo Médio" className="md:flex-[1.35]">
          <div className="grid grid-cols-2 gap-4">
            <Figure label="Mensal" value={stats && <MeanTime seconds={stats.averageResponseTimeMonthly} />} />
            <Figure label="Semanal" value={stats && <MeanTime seconds={stats.averageResponseTimeWeekly} />} />
          </div>
          <p className="mt-2.5 text-xs text-ink-3">Da mensagem do cliente até a resposta</p>
        </Block>
      )}
      {hasOperators && <OperatorsBlock stats={stats} />}
    </div>
  )
}

function QueueBlock({ stats }: { stats: Stats | undefined }) {
  const parts = [
    { label: 'Aguardando', count: stats?.waiting, colour: 'bg-amber' },
    { label: 'Em andamento', count: stats?.inProgress, colour: 'bg-chart-1' },
    { label: 'Finalizados hoje', count: stats?.completedToday, colour: 'bg-chart-2' },
  ]
  const total = parts.reduce((sum, part) => sum + (part.count ?? 0), 0)
  return (
    <Block title="Status da Fila" className="md:flex-[2.1]">
      <div className="grid grid-cols-[auto_auto_auto] justify-between gap-2 md:grid-cols-3 md:gap-4">
        {parts.map(({ label, count, colour }) => (
          <Figure
            key={label}
            label={label}
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
    <Block title="Operadores Online" className="md:flex-1">
      <Figure
        label={total === 1 ? 'operador' : 'operadores'}
        value={
          stats && (
            <>
              {online}
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

const blockLook = [
  'min-w-0 border-line px-5 pt-3.5 pb-4 not-first:border-t md:basis-0',
  'md:not-first:border-t-0 md:not-first:border-l',
].join(' ')

function Block({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`${blockLook} ${className}`}>
      <h2 className="mb-3 text-sm font-medium text-ink-2">{title}</h2>
      {children}
    </section>
  )
}

/** `value` is undefined while loading. */
function Figure({ label, mark, value }: { label: string; mark?: ReactNode; value: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <p
        className={[
          'flex h-8 items-center text-2xl font-semibold',
          'tracking-figure whitespace-nowrap tabular-nums',
        ].join(' ')}
      >
        {value ?? <Skeleton className="h-6 w-12" />}
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
