import { Check } from 'lucide-react'
import type { PhoneView } from '#simulator/control-views.ts'
import { cn } from '#web/ui/cn.ts'
import { PhoneLine } from './phone-line.tsx'

/** A row of the list that shows or hides its phone. */
export function PhoneCheck({
  phone,
  isShown,
  onChange,
}: {
  phone: PhoneView
  isShown: boolean
  onChange: (isShown: boolean) => void
}) {
  return (
    <label
      className={cn(
        'flex h-[34px] cursor-pointer items-center gap-[9px] px-4 text-sm',
        isShown ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <span className="relative grid shrink-0 place-items-center">
        <input
          type="checkbox"
          aria-label={`Mostrar ${phone.name}`}
          checked={isShown}
          onChange={(event) => onChange(event.target.checked)}
          className={cn(
            'peer size-4 cursor-pointer appearance-none rounded-[4px] border border-field bg-surface',
            'checked:border-accent checked:bg-accent',
          )}
        />
        <Check
          size={12}
          aria-hidden
          className="pointer-events-none absolute text-accent-ink opacity-0 peer-checked:opacity-100"
        />
      </span>
      <PhoneLine phone={phone} />
    </label>
  )
}
