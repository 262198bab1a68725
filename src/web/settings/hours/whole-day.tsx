import { useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { isWholeDay } from '#shared/settings/schedule.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Switch } from '#web/ui/fields/switch.tsx'

type Hours = { start: string; end: string }

/**
 * From midnight to midnight, which nobody would guess.
 * @param props.name where the hours are
 * @param props.usual the hours after it is switched off, if there were none before
 */
export function WholeDay({
  name,
  label,
  usual,
}: {
  name: 'workingHours' | `workingHours.differentDays.${number}`
  label: string
  usual: Hours
}) {
  const id = useId()
  const { watch, setValue } = useFormContext<SystemSettings>()
  const [start = '', end = ''] = watch([`${name}.start`, `${name}.end`])
  const [before, setBefore] = useState(usual)
  const choose = (hours: Hours) => {
    setValue(`${name}.start`, hours.start, { shouldValidate: true, shouldDirty: true })
    setValue(`${name}.end`, hours.end, { shouldValidate: true, shouldDirty: true })
  }
  return (
    <div className="flex items-center gap-2 text-sm font-medium">
      <Switch
        id={id}
        checked={isWholeDay({ start, end })}
        onCheckedChange={(isOn) => {
          if (isOn) setBefore({ start, end })
          choose(isOn ? { start: '00:00', end: '00:00' } : before)
        }}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
