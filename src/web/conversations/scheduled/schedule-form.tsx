import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Clock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { mostDays } from '#shared/scheduled/scheduled.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { clockTime, dayKey, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { Calendar } from '#web/conversations/scheduled/times/calendar.tsx'
import { type Chosen, scheduledQueries } from './queries.ts'
import {
  atTime,
  daysAfter,
  instantOf,
  quickTimes,
  shortTime,
} from '#web/conversations/scheduled/times/times.ts'

/** Chooses when a message is sent, and says before it is confirmed when that will be. */
export function ScheduleForm({
  conversationId,
  initial,
  isBusy,
  isOff = false,
  onChosen,
  onClose,
  children,
}: {
  conversationId: number
  /** What was chosen before. */
  initial?: Chosen | undefined
  isBusy: boolean
  /** There is nothing to schedule. */
  isOff?: boolean
  onChosen: (chosen: Chosen) => void
  onClose: () => void
  /** Before the times. */
  children?: ReactNode
}) {
  const nowMs = useNow(60_000)
  const today = dayKey(nowMs)
  const quick = quickTimes(nowMs)
  const last = daysAfter(today, mostDays - 1)
  const [day, setDay] = useState(() => (initial ? dayKey(initial.sendAt) : daysAfter(today, 1)))
  const [time, setTime] = useState(() => (initial ? clockTime(initial.sendAt) : '09:00'))
  const [cancelOnAnswer, setCancelOnAnswer] = useState(initial?.cancelOnAnswer ?? true)
  const [onlyOpen, setOnlyOpen] = useState(initial?.onlyOpen ?? true)
  const at = instantOf(day, time)
  const isPast = at !== undefined && Date.parse(at) <= nowMs
  const isAsked = at !== undefined && !isPast
  const { data, error, isFetching } = useQuery({
    ...scheduledQueries.time(conversationId, at ?? '', onlyOpen),
    enabled: isAsked,
  })
  const planned = isAsked ? data : undefined
  const problem = !at
    ? 'Escolha a data e a hora.'
    : isPast
      ? 'Escolha um horário que ainda não passou.'
      : error && reasonOf(error)
  const submit = () => at && planned && onChosen({ sendAt: at, cancelOnAnswer, onlyOpen })
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        // The popover may stand within the composer's form.
        event.stopPropagation()
        submit()
      }}
    >
      {children}
      <div role="group" aria-label="Horários" className="flex flex-wrap gap-1.5">
        {quick.map((one) => (
          <button
            key={one.label}
            type="button"
            aria-pressed={one.day === day && one.time === time}
            onClick={() => {
              setDay(one.day)
              setTime(one.time)
            }}
            className={cn(
              'h-7 rounded-full border border-line-strong bg-surface px-3 text-xs font-medium text-ink-2',
              'hover:bg-hover hover:text-ink max-md:h-11 max-md:px-4',
              'aria-pressed:border-accent aria-pressed:text-accent-text',
            )}
          >
            {one.label}
          </button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Field label="Data">
          {(control) => (
            <Input
              {...control}
              type="date"
              value={day}
              min={today}
              max={last}
              onChange={(event) => event.target.value && setDay(event.target.value)}
            />
          )}
        </Field>
        <Field label="Hora">
          {(control) => (
            <Input {...control} type="time" value={time} onChange={(event) => setTime(event.target.value)} />
          )}
        </Field>
      </div>
      <Calendar day={day} from={today} to={last} today={today} onChange={setDay} />
      <Tick isOn={cancelOnAnswer} onChange={setCancelOnAnswer}>
        Cancelar se o cliente responder
      </Tick>
      <Tick isOn={onlyOpen} onChange={setOnlyOpen}>
        Só em horário de atendimento
      </Tick>
      <div aria-live="polite" className="empty:hidden">
        {problem ? (
          <p className="rounded-card border border-red-line bg-red-soft px-3 py-2 text-sm text-red-text">
            {problem}
          </p>
        ) : (
          planned?.isMoved && (
            <p
              className={cn(
                'flex gap-2 rounded-card border border-amber-line bg-amber-soft',
                'px-3 py-2 text-sm text-amber-text',
              )}
            >
              <Clock aria-hidden size={14} className="mt-[3px] flex-none" />
              <span>
                {planned.sectorName === null
                  ? 'Fora do horário de atendimento'
                  : `${planned.sectorName} está fechado nesse horário`}
                : vai sair <strong className="font-semibold">{atTime(planned.sendAt, nowMs)}</strong>.
              </span>
            </p>
          )
        )}
      </div>
      <div className="flex items-center justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Cancelar
        </Button>
        <Button
          type="submit"
          variant="primary"
          icon={CalendarClock}
          isBusy={isBusy}
          busyLabel="Agendando..."
          disabled={!planned || isOff}
        >
          {planned ? (
            `Agendar para ${shortTime(planned.sendAt)}`
          ) : isFetching ? (
            <Spinner label="Calculando" />
          ) : (
            'Agendar'
          )}
        </Button>
      </div>
    </form>
  )
}

function Tick({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="flex items-center gap-2 text-sm max-md:min-h-11">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
