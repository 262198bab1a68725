import { Info } from 'lucide-react'
import { type Figure, isTimeFigure } from '#shared/reports/figures.ts'
import type { ReportStats, Times } from '#shared/reports/reports.ts'
import {
  figureDefinitions,
  figureLeavesOut,
  figureNames,
  openTimeText,
} from '#shared/text/reports/report-texts.ts'
import { meanTimeText, outsideHours, outsideHoursText } from '#shared/text/time/mean-time.ts'
import { cn } from '#web/ui/cn.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import {
  count,
  countDelta,
  type Delta,
  rating,
  ratingDelta,
  share,
  timeDelta,
} from '#web/reports/asked/words.ts'

interface CardFacts {
  figure: Figure
  value: string
  /** Behind the value: '/ 5'. */
  unit?: string
  note: string
  delta?: Delta | undefined
  /** 'era 5 min 26 s', 'eram 1.128' */
  was?: string | undefined
  /** How many conversations have it. */
  rows: number
  /** Of these, how many are in no mean, since it was closed all the while. */
  outside?: number
}

/** 'eram 1.128' */
const wereText = (then: number) => `${then === 1 ? 'era' : 'eram'} ${count(then)}`

function openNote({ count: all, outside: left, open, clock }: Times): string {
  if (left === 0) return 'média no expediente'
  if (open.mean === null) return `${count(left)} ${outsideHoursText(clock.mean)}`
  return `média de ${count(all - left)}, ${count(left)} ${outsideHours}`
}

function factsOf(stats: ReportStats, before: ReportStats | undefined, isByClock: boolean): CardFacts[] {
  const basis = isByClock ? 'clock' : 'open'
  const time = (figure: Figure, times: Times, then: Times | undefined): CardFacts => ({
    figure,
    value: meanTimeText(times[basis].mean),
    note: isByClock ? 'média no relógio' : openNote(times),
    delta: then && timeDelta(times[basis].mean, then[basis].mean),
    was: then && then.count > 0 ? `era ${meanTimeText(then[basis].mean)}` : undefined,
    rows: times.count,
    outside: isByClock ? 0 : times.outside,
  })
  const counted = (figure: Figure, value: number, then: number | undefined, note: string): CardFacts => ({
    figure,
    value: count(value),
    note,
    delta: then === undefined ? undefined : countDelta(value, then),
    was: then === undefined ? undefined : wereText(then),
    rows: value,
  })
  return [
    counted('total', stats.total, before?.total, 'conversas'),
    counted('waiting_client', stats.waitingClient, undefined, 'agora'),
    counted(
      'waiting_operator',
      stats.waitingOperator,
      undefined,
      stats.inQueue === 0 ? 'nenhuma na fila' : `${count(stats.inQueue)} na fila`,
    ),
    counted(
      'completed',
      stats.completed,
      before?.completed,
      `${share(stats.completed, stats.total)} do total`,
    ),
    time('first_reply', stats.firstReply, before?.firstReply),
    {
      figure: 'rated',
      value: rating(stats.rated.mean),
      ...(stats.rated.mean !== null && { unit: '/ 5' }),
      note: stats.rated.count === 1 ? '1 avaliação' : `${count(stats.rated.count)} avaliações`,
      delta: before && ratingDelta(stats.rated.mean, before.rated.mean),
      was: before && before.rated.count > 0 ? `era ${rating(before.rated.mean)}` : undefined,
      rows: stats.rated.count,
    },
    time('queue', stats.queue, before?.queue),
    time('handling', stats.handling, before?.handling),
    counted(
      'by_inactivity',
      stats.byInactivity,
      before?.byInactivity,
      `${share(stats.byInactivity, stats.completed)} das finalizadas`,
    ),
  ]
}

const gridLook = [
  'mb-4 grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line',
  'md:grid-cols-3 lg:grid-cols-5 print:grid-cols-5',
  // Of ten in three columns the last one fills its row.
  'not-print:md:max-lg:*:last:col-span-3',
].join(' ')

/** The figures of the period. Each opens the conversations that it counts. */
export function FigureCards({
  stats,
  before,
  isByClock,
  shown,
  onList,
}: {
  /** undefined while loading */
  stats: ReportStats | undefined
  before: ReportStats | undefined
  isByClock: boolean
  /** The figure whose conversations are listed. */
  shown: Figure | undefined
  onList: (restriction: Restriction | undefined) => void
}) {
  if (!stats)
    return (
      <div aria-busy className={gridLook}>
        {Array.from({ length: 10 }, (_, at) => (
          <div key={at} className="row-span-3 grid h-28 content-center gap-3 bg-surface px-4">
            <Skeleton className="w-20" />
            <Skeleton className="h-6 w-16" />
            <Skeleton className="w-14" />
          </div>
        ))}
      </div>
    )
  return (
    <section aria-label="Números do período" className={gridLook}>
      {factsOf(stats, before, isByClock).map((facts) => (
        <FigureCard
          key={facts.figure}
          facts={facts}
          total={stats.total}
          isShown={shown === facts.figure}
          onToggle={() => onList(shown === facts.figure ? undefined : { figure: facts.figure })}
        />
      ))}
      <MessagesCard stats={stats} before={before} />
    </section>
  )
}

/** Heading, figure and note are as high as the highest beside them: a long heading moves no figure. */
const cardLook = 'row-span-3 grid min-w-0 grid-rows-subgrid content-start gap-y-0 bg-surface px-4 py-3'

/** Two lines, whatever it says, so that nothing moves when the figures come. */
const noteLook = 'line-clamp-2 h-8 text-xs text-ink-3 tabular-nums print:line-clamp-none print:h-auto'

const tones: Record<Delta['tone'], string> = {
  good: 'text-green-text',
  bad: 'text-red-text',
  neutral: 'text-ink-2',
}

function FigureCard({
  facts,
  total,
  isShown,
  onToggle,
}: {
  facts: CardFacts
  total: number
  isShown: boolean
  onToggle: () => void
}) {
  const { figure, value, unit, note, delta, was } = facts
  const name = figureNames[figure]
  return (
    <div className={cn(cardLook, 'relative has-[[aria-pressed]:hover]:bg-hover', isShown && 'bg-selected')}>
      <div className="flex min-h-6 items-start gap-1 *:first:pt-0.5">
        <h2 className="min-w-0 text-sm font-medium text-ink-2">{name}</h2>
        <Definition facts={facts} total={total} />
      </div>
      <button
        type="button"
        aria-pressed={isShown}
        aria-label={`${name}: ${value}${unit ? ` ${unit}` : ''}. Ver as conversas`}
        onClick={onToggle}
        className="text-left after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2"
      >
        <span className="text-2xl leading-8 font-semibold tracking-figure whitespace-nowrap tabular-nums">
          {value}
          {unit && <small className="ml-1 text-base font-medium text-ink-2">{unit}</small>}
        </span>
      </button>
      <p className={noteLook} title={note}>
        {delta && (
          <span className={cn('font-medium whitespace-nowrap', tones[delta.tone])}>{delta.text}</span>
        )}
        {was !== undefined && delta ? (
          <>
            <span className={cn(facts.outside && 'max-md:hidden')}>
              {' '}
              <span className="whitespace-nowrap">{was}</span>
            </span>
            {facts.outside ? `, ${count(facts.outside)} ${outsideHours}` : ''}
          </>
        ) : (
          <> {note}</>
        )}
      </p>
    </div>
  )
}

/** What a figure is, and what it leaves out. */
function Definition({
  facts: { figure, rows, outside: left = 0 },
  total,
}: {
  facts: CardFacts
  total: number
}) {
  const name = figureNames[figure]
  const leavesOut = figureLeavesOut[figure]
  const isTime = isTimeFigure(figure)
  return (
    <Popover
      label={`O que é ${name}`}
      trigger={
        <button
          type="button"
          aria-label={`O que é ${name}`}
          className={[
            'relative z-10 grid size-6 flex-none place-items-center rounded-full text-ink-3',
            'hover:bg-hover hover:text-ink print:hidden',
          ].join(' ')}
        >
          <Info size={14} aria-hidden />
        </button>
      }
    >
      <div className="grid gap-2">
        <p className="font-semibold">{name}</p>
        <p className="text-ink-2">{figureDefinitions[figure]}</p>
        {isTime && <p className="text-ink-2">{openTimeText}</p>}
        {leavesOut && (
          <p className="text-ink-2">
            <strong className="font-semibold text-ink">Ficam de fora:</strong> {leavesOut}
          </p>
        )}
        {leavesOut && (
          <p className="text-xs text-ink-3 tabular-nums">
            {count(total)} − {count(total - rows)} = {count(rows)} {rows === 1 ? 'conversa' : 'conversas'}
          </p>
        )}
        {left > 0 && (
          <p className="text-xs text-ink-3 tabular-nums">
            {count(left)} {outsideHours}: sem tempo no expediente, não {left === 1 ? 'entra' : 'entram'} na
            média.
          </p>
        )}
      </div>
    </Popover>
  )
}

/** Messages are no conversations, so that nothing opens. */
function MessagesCard({ stats, before }: { stats: ReportStats; before: ReportStats | undefined }) {
  const { contact, team } = stats.messages
  const then = before && before.messages.contact + before.messages.team
  const delta = then === undefined ? undefined : countDelta(contact + team, then)
  return (
    <div className={cardLook}>
      <h2 className="min-h-6 pt-0.5 text-sm font-medium text-ink-2">Mensagens</h2>
      <p className="text-2xl leading-8 font-semibold tracking-figure whitespace-nowrap tabular-nums">
        {count(contact + team)}
      </p>
      <p className={noteLook}>
        {delta && <span className="font-medium whitespace-nowrap text-ink-2">{delta.text}</span>}
        {delta && then !== undefined && (
          <>
            {' '}
            <span className="whitespace-nowrap">{wereText(then)}</span> ·{' '}
          </>
        )}
        <span className="whitespace-nowrap">{count(contact)} de clientes</span>
      </p>
    </div>
  )
}
