import type { ReactNode } from 'react'
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
      <OpenNow />
      <Week />
    </>
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
