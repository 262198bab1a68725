import { AlarmClock, Clock, Hourglass } from 'lucide-react'
import { ago, shortSpan } from '#shared/text/time/relative-time.ts'
import { cn } from '#web/ui/cn.ts'

/** From here on the wait is amber. */
export const warmMinutes = 5
const hotMinutes = 15

/** How long somebody has been waiting, by icon, text and colour. */
export function Waiting({
  minutes,
  isLong = false,
  className,
}: {
  minutes: number
  /** 'espera há 12 minutos' on cards, '12 min' in lists */
  isLong?: boolean
  className?: string
}) {
  const isHot = minutes > hotMinutes
  const isWarm = !isHot && minutes >= warmMinutes
  const Icon = isHot ? AlarmClock : isWarm ? Hourglass : Clock
  const long = minutes < 1 ? 'há menos de 1 minuto' : ago(minutes)
  return (
    <span
      title={`Cliente esperando ${long}`}
      className={cn(
        'inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap tabular-nums',
        isHot && 'font-semibold text-red-text',
        isWarm && 'font-medium text-amber-text',
        !isHot && !isWarm && 'text-ink-3',
        className,
      )}
    >
      <Icon size={12} aria-hidden />
      {isLong ? `espera ${long}` : minutes < 1 ? 'agora' : shortSpan(minutes)}
    </span>
  )
}
