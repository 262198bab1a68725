import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { SwitchSetting } from '#web/settings/fields/controls.tsx'
import { HoursFields, LunchFields } from './hours-fields.tsx'
import { ScheduleExceptions } from './schedule-exceptions.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'

const words = {
  saved: 'Configurações de horário salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

const closedHoursEffect =
  'Fora dele a conversa entra na fila do mesmo jeito, e o cliente recebe a resposta automática.'

/** Opening hours, and the text sent outside them. @see specification §2 Horário */
export function HoursTab() {
  return (
    <SettingsForm
      keys={[
        'companyName',
        'workingHours',
        'lunchBreak',
        'timezone',
        'scheduleExceptions',
        'isAutoReplyEnabled',
        'autoReplyMessage',
      ]}
      words={words}
    >
      <SettingsSection title="Empresa" description="Aparece no alto dos relatórios impressos.">
        <CompanyNameSetting />
      </SettingsSection>
      <SettingsSection title="Dias e horário" description={closedHoursEffect}>
        <HoursFields>
          <TimeZoneSetting />
        </HoursFields>
      </SettingsSection>
      <SettingsSection title="Almoço" description="Conta como fora do horário.">
        <LunchFields />
      </SettingsSection>
      <SettingsSection
        title="Exceções"
        description="Feriados e dias com outro horário. Valem no lugar da semana, sem intervalo de almoço."
      >
        <ScheduleExceptions />
      </SettingsSection>
      <SettingsSection
        title="Resposta automática"
        description="Vai uma vez por conversa, enquanto estiver fechado."
        isLast
      >
        <SwitchSetting name="isAutoReplyEnabled" label="Responder fora do horário" />
        <TextSetting name="autoReplyMessage" />
      </SettingsSection>
    </SettingsForm>
  )
}

const zones = Object.entries(timeZones).map(([value, label]) => ({ value, label }))

function CompanyNameSetting() {
  const { register, formState } = useFormContext<SystemSettings>()
  return (
    <Field label="Nome da empresa" error={formState.errors.companyName?.message} className="w-80 max-w-full">
      {(control) => (
        <Input
          {...control}
          {...register('companyName')}
          autoComplete="organization"
          maxLength={80}
          dir="auto"
        />
      )}
    </Field>
  )
}

function TimeZoneSetting() {
  const { watch, setValue, formState } = useFormContext<SystemSettings>()
  const zone = watch('timezone')
  return (
    <Field
      label="Fuso horário"
      error={formState.errors.timezone?.message}
      hint={<ZoneTime zone={zone} />}
      className="w-[248px] max-w-full"
    >
      {(control) => (
        <Select
          {...control}
          value={zone}
          onChange={(next) => setValue('timezone', next as TimeZone, { shouldValidate: true })}
          options={zones}
        />
      )}
    </Field>
  )
}

function ZoneTime({ zone }: { zone: string }) {
  const now = useNow(1000)
  // One that is not known has no clock, and the form says that it is missing.
  if (!(zone in timeZones)) return null
  const time = new Date(now).toLocaleTimeString('pt-BR', { timeZone: zone, hourCycle: 'h23' })
  return <span className="tabular-nums">agora {time}</span>
}
