import type { ComponentType } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { newDayLabels } from '#shared/settings/texts.ts'
import { errorAt } from '#web/settings/fields/controls.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import type { SilentHoursFieldsProps } from '#web/users/users.tsx'

const words = {
  saved: 'Dia de trabalho salvo com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

type Fields = ComponentType<SilentHoursFieldsProps>

const silentFields = ['start', 'end', 'days', 'daysOff'] as const

/**
 * What a working day begins with, and when the console is quiet.
 * @param props.fields of silent hours, which people have of their own, too
 */
export function DayTab({ fields }: { fields: Fields }) {
  return (
    <SettingsForm keys={['newDayPresence', 'silentHours']} words={words}>
      <SettingsSection
        title="Novo dia"
        description={
          'Quando alguém volta em outro dia, depois de pelo menos quatro horas fora. Uma pausa esquecida ' +
          'termina em qualquer caso.'
        }
      >
        <NewDay />
      </SettingsSection>
      <SettingsSection
        title="Horário silencioso"
        description={
          'Sem sons e sem notificações na área de trabalho; o sino e os contadores seguem contando. ' +
          'Cada pessoa pode ter o seu, no próprio perfil.'
        }
        isLast
      >
        <TeamSilence fields={fields} />
      </SettingsSection>
    </SettingsForm>
  )
}

function NewDay() {
  const { watch, setValue } = useFormContext<SystemSettings>()
  return (
    <Field label="Um novo dia começa como" className="w-[320px] max-w-full">
      {(control) => (
        <Select
          {...control}
          value={watch('newDayPresence')}
          onChange={(next) => setValue('newDayPresence', next as SystemSettings['newDayPresence'])}
          options={Object.entries(newDayLabels).map(([value, label]) => ({ value, label }))}
        />
      )}
    </Field>
  )
}

function TeamSilence({ fields: SilentHoursFields }: { fields: Fields }) {
  const { control, formState } = useFormContext<SystemSettings>()
  return (
    <Controller
      control={control}
      name="silentHours"
      render={({ field: { value, onChange } }) => (
        <SilentHoursFields
          value={value}
          errors={Object.fromEntries(
            silentFields.map((name) => [name, errorAt(formState.errors, `silentHours.${name}`)]),
          )}
          onChange={onChange}
        />
      )}
    />
  )
}
