import { SlidersHorizontal } from 'lucide-react'
import { useId } from 'react'
import type { Faults } from '#simulator/control-api.ts'
import { useSetFault } from '#simulator/page/data/mutations.ts'
import { cn } from '#web/ui/cn.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { faultStrength, type FaultInfo } from './fault-info.ts'

/** Name, summary and switch; the summary opens the settings. */
export function FaultRow({
  info,
  faults,
  onAdjust,
}: {
  info: FaultInfo
  faults: Faults
  onAdjust: () => void
}) {
  const { mutate } = useSetFault()
  const id = useId()
  const { name, title, about, fields } = info
  const isOn = faults[name].on
  const strength = isOn ? faultStrength(name, faults) : ''
  return (
    <li className="group flex h-[30px] items-center gap-1.5 px-4 text-sm">
      <label htmlFor={id} title={about} className={cn('truncate', isOn && 'font-medium')}>
        {title}
      </label>
      {fields.length > 0 && (
        <button
          type="button"
          aria-label={strength ? `${strength}, ajustar ${title}` : `Ajustar ${title}`}
          onClick={onAdjust}
          className={cn(
            'inline-grid h-6 min-w-6 shrink-0 place-items-center rounded-[6px] px-1 text-xs text-ink-3',
            'tabular-nums hover:bg-hover hover:text-ink',
          )}
        >
          {strength || <SlidersHorizontal size={14} aria-hidden />}
        </button>
      )}
      <span className="ml-auto flex">
        <Switch id={id} checked={isOn} onCheckedChange={(on) => mutate({ name, values: { on } })} />
      </span>
    </li>
  )
}
