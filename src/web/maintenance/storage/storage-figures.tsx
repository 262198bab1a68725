import { Database, Files, HardDrive, History, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { StatusBadge } from '#web/maintenance/backups/status-badge.tsx'
import { counted, figure, sizeOf, sizeText, usedText } from '#web/maintenance/words.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

const gridLook = [
  'grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line',
  'lg:grid-cols-4',
].join(' ')

/** Of a figure, and of its place while it is loaded. */
const heightLook = 'min-h-[156px] md:min-h-[130px]'

/** The four cards: disk, database, last backup, files. @see specification §2 Maintenance */
export function StorageFigures({ stats, dates }: { stats: MaintenanceStats | undefined; dates: ZonedDates }) {
  if (!stats) return <FiguresSkeleton />
  const { diskUsage, database } = stats
  const otherFiles = diskUsage.totalFiles - diskUsage.mediaFiles
  return (
    <div className={gridLook}>
      <Figure title="Uso de disco" icon={HardDrive} value={<Size bytes={diskUsage.totalSize} />}>
        <p>{usedText(diskUsage.percentage)}</p>
        <Meter percent={diskUsage.percentage} />
      </Figure>
      <Figure title="Banco de dados" icon={Database} value={<Size bytes={database.size} />}>
        <p>
          {counted(database.conversations, 'conversa', 'conversas')},{' '}
          {counted(database.messages, 'mensagem', 'mensagens')}
        </p>
        <p className="mt-1 text-ink-3">
          {counted(database.contacts, 'contato', 'contatos')},{' '}
          {counted(database.companies, 'empresa', 'empresas')}
        </p>
      </Figure>
      <LastBackup last={stats.lastBackup} dates={dates} />
      <Figure title="Total de arquivos" icon={Files} value={figure(diskUsage.totalFiles)}>
        <p>{`${figure(diskUsage.mediaFiles)} de mensagens, ${figure(otherFiles)} de perfis e respostas`}</p>
      </Figure>
    </div>
  )
}

function Figure({
  title,
  icon: Icon,
  value,
  children,
}: {
  title: string
  icon: LucideIcon
  value: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={title} className={`min-w-0 bg-surface px-4 pt-3.5 pb-4 md:px-5 ${heightLook}`}>
      <h2 className="flex items-center gap-1.5 text-sm font-medium text-ink-2">
        <Icon size={14} aria-hidden />
        {title}
      </h2>
      <p className="mt-2 text-2xl font-semibold tracking-figure whitespace-nowrap tabular-nums">{value}</p>
      <div className="text-xs text-ink-2 tabular-nums">{children}</div>
    </section>
  )
}

const unitLook = 'text-base font-medium tracking-normal text-ink-2'

function Size({ bytes }: { bytes: number }) {
  const { amount, unit } = sizeOf(bytes)
  return (
    <>
      {amount} <small className={unitLook}>{unit}</small>
    </>
  )
}

const fullPercent = 90

function Meter({ percent }: { percent: number }) {
  const shown = Math.min(100, Math.max(0, percent))
  return (
    <div
      role="meter"
      aria-label="Uso de disco"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      aria-valuetext={usedText(percent)}
      className="mt-3 h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={cn('h-full rounded-full', percent >= fullPercent ? 'bg-red' : 'bg-chart-1')}
        style={{ width: `${shown}%` }}
      />
    </div>
  )
}

/** When the last backup was made; while one is under way, only that. */
export function LastBackup({ last, dates }: { last: MaintenanceStats['lastBackup']; dates: ZonedDates }) {
  const nowMs = useNow(60_000)
  const title = 'Último backup'
  if (!last)
    return (
      <Figure title={title} icon={History} value="Nenhum">
        <p>Ainda não há cópia dos dados. Crie a primeira em “Criar backup”.</p>
      </Figure>
    )
  const { date, size, status } = last
  // Its date would be that of a copy that is not there yet.
  if (status === 'processing')
    return (
      <Figure title={title} icon={History} value="Em andamento">
        <p>
          começou <time dateTime={date}>{relativeTime(Date.parse(date), nowMs)}</time>
        </p>
      </Figure>
    )
  const [day = '', time] = dates.dateTime(date).split(' ')
  const isThisYear = dates.day(date).slice(0, 4) === dates.day(nowMs).slice(0, 4)
  const age = relativeTime(Date.parse(date), nowMs)
  return (
    <Figure
      title={title}
      icon={History}
      value={
        <time dateTime={date} title={dates.dateTime(date)}>
          {isThisYear ? day.slice(0, 5) : day} <small className={unitLook}>{time}</small>
        </time>
      }
    >
      <p>
        {age}
        {status === 'completed' && (
          <>
            , <span className="whitespace-nowrap">{sizeText(size)}</span>
          </>
        )}
      </p>
      <p className="mt-1.5">
        <StatusBadge status={status} />
      </p>
    </Figure>
  )
}

function FiguresSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando as estatísticas" className={gridLook}>
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} className={`grid content-start gap-3 bg-surface px-4 pt-5 md:px-5 ${heightLook}`}>
          <Skeleton className="w-24" />
          <Skeleton className="h-6 w-28" />
          <Skeleton className="w-32 max-w-full" />
          <Skeleton className="w-20" />
        </div>
      ))}
    </div>
  )
}
