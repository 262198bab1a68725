import { type ReactNode, useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { isWholeDay } from '#shared/settings/schedule.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { SwitchSetting, TimeSetting } from '#web/settings/fields/controls.tsx'
import { OpenNow } from './open-now.tsx'
import { Week } from './week.tsx'

/** The days and hours of a week. @param props.children further fields beside the times */
export function HoursFields({ children }: { children?: ReactNode }) {
  return (
    <>
      <div className="flex w-full flex-wrap items-start gap-4">
        <TimeSetting name="workingHours.start" label="Início" />
        <TimeSetting name="workingHours.end" label="Fim" />
        {children}
      </div>
      <WholeDay />
      <OpenNow />
      <Week />
    </>
  )
}

const usual = { start: '08:00', end: '18:00' }

/** From midnight to midnight, which nobody would guess. */
function WholeDay() {
  const id = useId()
  const { watch, setValue } = useFormContext<SystemSettings>()
  const { start, end } = watch('workingHours')
  const [before, setBefore] = useState(usual)
  const choose = (hours: { start: string; end: string }) => {
    setValue('workingHours.start', hours.start, { shouldValidate: true, shouldDirty: true })
    setValue('workingHours.end', hours.end, { shouldValidate: true, shouldDirty: true })
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
      <label htmlFor={id}>24 horas</label>
    </div>
  )
}

export function LunchFields() {
  return (
    <>
      <SwitchSetting name="lunchBreak.enabled" label="Intervalo de almoço" />
      <div className="flex flex-wrap items-start gap-4">
        <TimeSetting name="lunchBreak.start" label="Início do almoço" />
        <TimeSetting name="lunchBreak.end" label="Fim do almoço" />
      </div>
    </>
  )
}
