import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { unknownContact } from '#shared/text/text.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import type { WorkedFigure, WorkPeriod } from '#shared/workday/timesheets.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CorrectionForm } from './correction-form.tsx'
import { periodsQuery, workedQuery } from './queries.ts'
import { shortDay, spanText, stateName, weekdayOf } from './words.ts'

/** What a figure of a day is made of. */
export type Behind = 'all' | 'available' | 'paused' | 'over' | WorkedFigure

const isWorked = (behind: Behind): behind is WorkedFigure =>
  behind === 'taken' || behind === 'answered' || behind === 'finished'

interface Asked {
  userId: number
  name: string
  day: string
  dates: ZonedDates
}

/** The rows behind a figure of a person's day: what they were, or their conversations. */
export function DayRows({ behind, mayCorrect, ...asked }: Asked & { behind: Behind; mayCorrect: boolean }) {
  return isWorked(behind) ? (
    <Conversations {...asked} figure={behind} />
  ) : (
    <Periods {...asked} behind={behind} mayCorrect={mayCorrect} />
  )
}

const isBehind: Readonly<Record<Exclude<Behind, WorkedFigure>, (period: WorkPeriod) => boolean>> = {
  all: () => true,
  available: ({ state }) => state === 'available',
  paused: ({ state, countsAsWork }) => state === 'paused' && !countsAsWork,
  over: ({ overSeconds }) => overSeconds > 0,
}

const headLook = 'px-2 py-1.5 text-left text-xs font-medium text-ink-2 first:pl-0'

function Periods({
  userId,
  name,
  day,
  dates,
  behind,
  mayCorrect,
}: Asked & { behind: Exclude<Behind, WorkedFigure>; mayCorrect: boolean }) {
  const { data, error, isFetching, refetch } = useQuery(periodsQuery(userId, day))
  const [corrected, setCorrected] = useState<number>()
  if (!data)
    return error ? (
      <ErrorState
        description="Não foi possível carregar o registro."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Skeleton className="h-24 w-full" />
    )
  const shown = data.filter(isBehind[behind])
  const length = ({ from, to }: WorkPeriod) => (Date.parse(to) - Date.parse(from)) / 1000
  const sum = shown.reduce((total, period) => total + length(period), 0)
  const changes = shown.length === 1 ? '1 registro' : `${shown.length} registros`
  return (
    <>
      <p className="mb-1 text-sm">
        <strong className="font-semibold">
          {name}, {weekdayOf(day)} {shortDay(day)}: {changes}, soma {spanText(sum, true)}
        </strong>
        {behind !== 'all' && <span className="text-ink-2"> · {behindNames[behind]}</span>}
      </p>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="border-b border-line">
              {['De', 'Até', 'Estado', 'Tempo', 'Dispositivo'].map((title) => (
                <th
                  key={title}
                  scope="col"
                  className={cn(headLook, title === 'Dispositivo' && 'max-md:hidden')}
                >
                  {title}
                </th>
              ))}
              <th scope="col" className={headLook}>
                <span className="sr-only">O que houve</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((period) => (
              <PeriodRow
                key={`${period.id} ${period.from}`}
                period={period}
                seconds={length(period)}
                dates={dates}
                isCorrected={corrected === period.id}
                onCorrect={
                  mayCorrect && !period.isOpen
                    ? (isOpen) => setCorrected(isOpen ? period.id : undefined)
                    : undefined
                }
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const behindNames: Readonly<Record<Exclude<Behind, WorkedFigure>, string>> = {
  all: '',
  available: 'só disponível',
  paused: 'só as pausas',
  over: 'só o que passou do limite',
}

function PeriodRow({
  period,
  seconds,
  dates,
  isCorrected,
  onCorrect,
}: {
  period: WorkPeriod
  seconds: number
  dates: ZonedDates
  isCorrected: boolean
  onCorrect: ((isOpen: boolean) => void) | undefined
}) {
  const { from, to, isOpen, device, overSeconds } = period
  return (
    <>
      <tr className="h-9 border-b border-line">
        <td className="pr-2">{dates.time(from)}</td>
        <td className="px-2">{isOpen ? 'agora' : dates.time(to)}</td>
        <td className="px-2" dir="auto">
          {stateName(period)}
        </td>
        <td className={`px-2 ${overSeconds > 0 ? 'font-semibold text-red-text' : ''}`}>
          {spanText(seconds, true)}
        </td>
        <td className="px-2 text-ink-2 max-md:hidden">{device || '–'}</td>
        <td className="px-2 text-ink-2">
          <span className="flex items-center gap-2">
            <span className="min-w-0 flex-1">
              <Remarks period={period} dates={dates} />
            </span>
            {onCorrect && (
              <Button
                size="sm"
                icon={Pencil}
                aria-expanded={isCorrected}
                onClick={() => onCorrect(!isCorrected)}
              >
                <span className="max-md:sr-only">Corrigir</span>
              </Button>
            )}
          </span>
        </td>
      </tr>
      {isCorrected && onCorrect && (
        <tr className="border-b border-line">
          <td colSpan={6} className="py-3">
            <CorrectionForm period={period} onClose={() => onCorrect(false)} />
          </td>
        </tr>
      )}
    </>
  )
}

/** What is remarkable of a period: its correction, its limit, a connection that was lost. */
function Remarks({ period, dates }: { period: WorkPeriod; dates: ZonedDates }) {
  const { correction, limitMinutes, overSeconds, losses } = period
  const remarks: ReactNode[] = [
    correction && (
      <>
        <s>{stateName({ state: correction.state, reason: reasonOf(correction.reasonName) })}</s> →{' '}
        {stateName(period)}, por {correction.by} em {dates.dateTime(correction.at)}: “{correction.why}”
      </>
    ),
    overSeconds > 0 && `limite de ${limitMinutes} min, passou ${spanText(overSeconds, true)}`,
    losses > 0 &&
      (losses === 1
        ? 'conexão caiu e voltou antes de 2 min: não conta como Offline'
        : `conexão caiu ${losses} vezes e voltou antes de 2 min: não conta como Offline`),
  ].filter(Boolean)
  return remarks.map((remark, n) => (
    // oxlint-disable-next-line react/no-array-index-key -- remarks differ by their place
    <span key={n} className="block">
      {remark}
    </span>
  ))
}

const reasonOf = (name: string | null): WorkPeriod['reason'] =>
  name === null ? null : { name, icon: 'break' }

const figureNames: Readonly<Record<WorkedFigure, string>> = {
  taken: 'assumidas',
  answered: 'respondidas',
  finished: 'finalizadas',
}

function Conversations({ userId, name, day, dates, figure }: Asked & { figure: WorkedFigure }) {
  const { data, error, isFetching, refetch } = useQuery(workedQuery(userId, day, figure))
  if (!data)
    return error ? (
      <ErrorState
        description="Não foi possível carregar as conversas."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Skeleton className="h-24 w-full" />
    )
  const { conversations, total } = data
  const hidden = total - conversations.length
  return (
    <>
      <p className="mb-1 text-sm font-semibold">
        {name}, {weekdayOf(day)} {shortDay(day)}: {total} {figureNames[figure]}
      </p>
      {conversations.length > 0 && (
        <ul className="divide-y divide-line text-sm">
          {conversations.map(({ id, protocol, contactName, isOpen, at }) => (
            <li key={id} className="flex min-h-9 items-center gap-3 tabular-nums">
              <span className="w-16 flex-none">{dates.time(at)}</span>
              <Link
                href={isOpen ? `/chat?conversation=${id}` : `/conversas-arquivadas/${id}`}
                className="min-w-0 truncate underline decoration-line-strong underline-offset-3"
                dir="auto"
              >
                {contactName || unknownContact}
              </Link>
              <span className="ml-auto flex-none text-xs text-ink-2">{protocol}</span>
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <p className="pt-1 text-xs text-ink-2">
          {hidden === 1 ? 'Mais 1 conversa' : `Mais ${hidden} conversas`} fora do seu alcance ou além da
          lista.
        </p>
      )}
    </>
  )
}
