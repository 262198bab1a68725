import type { PhoneView } from '#simulator/control-views.ts'
import { cn } from '#web/ui/cn.ts'
import { PhoneLine } from './phone-line.tsx'

/** A row of the list on small screens, which opens its phone. */
export function PhoneChoice({
  phone,
  isHere,
  onChoose,
}: {
  phone: PhoneView
  isHere: boolean
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      aria-current={isHere || undefined}
      onClick={onChoose}
      className={cn(
        'flex h-11 w-full items-center gap-[9px] px-4 text-left text-sm -outline-offset-2',
        isHere ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <PhoneLine phone={phone} />
    </button>
  )
}
