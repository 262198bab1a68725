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

interface Asking {
  label: string
  hints: Readonly<Record<AskReason, string>>
}

const fields = {
  askReason: {
    label: 'Pedir motivo ao finalizar',
    hints: {
      no: 'A janela de finalizar não pergunta.',
      optional: 'A janela de finalizar pergunta, e aceita nenhum.',
      required: 'Sem motivo ninguém finaliza: nem na seleção de várias, nem pela API.',
    },
  },
  askTag: {
    label: 'Pedir etiqueta ao finalizar',
    hints: {
      no: 'A janela de finalizar não pergunta.',
      optional: 'A janela de finalizar pergunta, e aceita nenhuma.',
      required: 'Sem etiqueta ninguém finaliza: nem na seleção de várias, nem pela API.',
    },
  },
} satisfies Partial<Record<keyof SystemSettings, Asking>>

const options = (Object.keys(askLabels) as AskReason[]).map((value) => ({ value, label: askLabels[value] }))

/** Whether whoever finalizes is asked for a reason, or for a tag, in a form of settings. */
export function AskSetting({ name }: { name: keyof typeof fields }) {
  const { watch, setValue } = useFormContext<SystemSettings>()
  const value = watch(name)
  const { label, hints } = fields[name]
  return (
    <Field label={label} hint={hints[value]} className="w-[320px] max-w-full">
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(next) => setValue(name, next as AskReason, { shouldDirty: true })}
          options={options}
        />
      )}
    </Field>
  )
}
