import { useFormContext } from 'react-hook-form'
import type { AskReason } from '#shared/settings/ask-reason.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'

export const askLabels: Readonly<Record<AskReason, string>> = {
  no: 'Não',
  optional: 'Opcional',
  required: 'Obrigatório',
}

const askHints: Readonly<Record<AskReason, string>> = {
  no: 'A janela de finalizar não pergunta.',
  optional: 'A janela de finalizar pergunta, e aceita nenhum.',
  required: 'Sem motivo ninguém finaliza: nem na seleção de várias, nem pela API.',
}

const options = (Object.keys(askLabels) as AskReason[]).map((value) => ({ value, label: askLabels[value] }))

/** Whether whoever finalizes is asked for a reason, in a form of settings. */
export function AskReasonSetting() {
  const { watch, setValue } = useFormContext<SystemSettings>()
  const value = watch('askReason')
  return (
    <Field label="Pedir motivo ao finalizar" hint={askHints[value]} className="w-[320px] max-w-full">
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(next) => setValue('askReason', next as AskReason, { shouldDirty: true })}
          options={options}
        />
      )}
    </Field>
  )
}
