import { useNow } from '#web/platform/live/server-clock.ts'
import { dayAndTime } from '#web/conversations/snoozing/return-text.ts'

/** Asks whether a conversation that is transferred stays on hold. */
export function StaysOnHold({
  until,
  isOn,
  isToSector,
  onChange,
}: {
  until: string
  isOn: boolean
  /** To the queue of a sector, and not to a person. */
  isToSector: boolean
  onChange: (isOn: boolean) => void
}) {
  const now = useNow(30_000)
  return (
    <label className="flex min-h-9 items-start gap-2.5 text-sm max-md:min-h-11">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 flex-none accent-accent"
      />
      <span>
        Continua em espera até {dayAndTime(until, now)}
        <span className="block text-xs text-ink-3">
          {isToSector ? 'Entra na fila do setor' : 'Volta para quem recebe'} nesse horário, ou assim que o
          cliente escrever. O cliente não é avisado.
        </span>
      </span>
    </label>
  )
}
