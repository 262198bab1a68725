import { Clock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Input } from './input.tsx'

/**
 * A time of day, 'HH:MM': the browser's own field would show AM and PM in an English browser. What was typed
 * is completed when the field is left, and told to `onWhole`.
 */
export function TimeInput({
  onWhole,
  onBlur,
  ...rest
}: ComponentProps<typeof Input> & { onWhole: (time: string) => void }) {
  return (
    <Input
      {...rest}
      onBlur={(event) => {
        onBlur?.(event)
        onWhole(wholeTime(event.target.value))
      }}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder="hh:mm"
      className="w-[104px] tabular-nums"
      trailing={<Clock size={14} aria-hidden className="shrink-0 text-ink-3" />}
    />
  )
}

/** '9', '930', '9h30' → '09:00', '09:30'; anything else is left for the schema to reject. */
function wholeTime(typed: string): string {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:h]?(\d{2}))?h?$/i.exec(typed.trim()) ?? []
  return hours === undefined ? typed : `${hours.padStart(2, '0')}:${minutes}`
}
