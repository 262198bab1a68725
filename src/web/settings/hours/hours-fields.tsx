import type { ReactNode } from 'react'
import { SwitchSetting, TimeSetting } from '#web/settings/fields/controls.tsx'
import { DifferentDays } from './different-days.tsx'
import { OpenNow } from './open-now.tsx'
import { Week } from './week.tsx'
import { WholeDay } from './whole-day.tsx'

/** The days and hours of a week. @param props.children further fields beside the times */
export function HoursFields({ children }: { children?: ReactNode }) {
  return (
    <>
      <div className="flex w-full flex-wrap items-start gap-4">
        <TimeSetting name="workingHours.start" label="Início" />
        <TimeSetting name="workingHours.end" label="Fim" />
        {children}
      </div>
      <WholeDay name="workingHours" label="24 horas" usual={{ start: '08:00', end: '18:00' }} />
      <OpenNow />
      <Week />
      <DifferentDays />
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
