import { useMemo } from 'react'
import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { schedule } from '#shared/settings/schedule.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'

/** Whether the team is open now and until when, from the form's values, saved or not. */
export function OpenNow() {
  const { watch } = useFormContext<SystemSettings>()
  const minute = useNow(60_000)
  const parsed = schedule.safeParse(watch())
  const typed = parsed.data
  const text = JSON.stringify(typed)
  const state = useMemo(() => {
    if (!typed) return undefined
    const at = new Date(minute)
    return { isOpen: isOpen(typed, at), change: nextChange(typed, at) }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text contains all it depends on
  }, [text, minute])
  // A line that comes and goes would move the control about to be clicked.
  if (!state || !typed) return <p className="text-sm text-ink-3">Complete o horário para ver quando muda.</p>
  return (
    <p role="status" className="flex items-center gap-2 text-sm">
      <span
        aria-hidden
        className={cn('size-2 shrink-0 rounded-full', state.isOpen ? 'bg-green' : 'bg-line-strong')}
      />
      <span>
        <b className="font-semibold">{state.isOpen ? 'Aberto agora' : 'Fechado agora'}</b>
        {state.change ? `, muda ${momentOf(state.change, minute, typed.timezone)}` : ', sem mudança prevista'}
      </span>
    </p>
  )
}

/** 'às 18:00', 'amanhã às 09:00', 'seg., 23/11 às 09:00' */
function momentOf(at: Date, nowMs: number, timeZone: string): string {
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const time = `às ${at.toLocaleTimeString('pt-BR', clock)}`
  const dayOf = (date: Date) => date.toLocaleDateString('sv-SE', { timeZone })
  const daysAhead = (Date.parse(dayOf(at)) - Date.parse(dayOf(new Date(nowMs)))) / 86_400_000
  if (daysAhead === 0) return time
  if (daysAhead === 1) return `amanhã ${time}`
  const day = at.toLocaleDateString('pt-BR', { timeZone, weekday: 'short', day: '2-digit', month: '2-digit' })
  return `${day} ${time}`
}
