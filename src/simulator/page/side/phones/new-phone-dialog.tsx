import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { identityModes } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { identityOptions } from '#simulator/page/identities.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'

const countryCode = '55'
const nationalLengths = [10, 11]

const formSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Informe o nome'), z.maxLength(80, 'No máximo 80 letras')),
  number: z
    .pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.replace(/\D/g, '')),
      ),
      z.transform((text) => (nationalLengths.includes(text.length) ? countryCode + text : text)),
    )
    .check(
      z.refine((text) => text === '' || /^\d{8,15}$/.test(text), 'De 8 a 15 algarismos, ou deixe vazio'),
    ),
  identity: z.enum(identityModes),
})

const formId = 'new-phone'

/** Creates a phone that can write at once. */
export function NewPhoneDialog({
  isOpen,
  onClose,
  onMade,
}: {
  isOpen: boolean
  onClose: () => void
  onMade: (id: string) => void
}) {
  const { register, handleSubmit, control, formState, reset, setError } = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', number: '', identity: 'pn' as const },
  })
  const { errors } = formState
  const create = useMutation({
    mutationFn: ({ name, number, identity }: z.output<typeof formSchema>) =>
      simulatorApi.createPhone({ name, identity, ...(number !== '' && { number }) }),
    onSuccess: ({ id }) => {
      reset()
      onMade(id)
    },
    onError: (error) => setError('number', { message: error.message }),
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Novo celular"
      description="Um cliente de mentira, que já pode escrever para a empresa."
      footer={
        <FormFooter
          form={formId}
          isBusy={create.isPending}
          label="Criar celular"
          busyLabel="Criando..."
          onCancel={onClose}
        />
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-3.5"
        onSubmit={handleSubmit((values) => create.mutate(values))}
      >
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
        </Field>
        <Field label="Número" hint="Com DDD. Vazio: um é inventado." error={errors.number?.message}>
          {(field) => (
            <Input {...field} {...register('number')} type="tel" inputMode="tel" autoComplete="off" />
          )}
        </Field>
        <Field label="Como o gateway o identifica">
          {(field) => (
            <Controller
              control={control}
              name="identity"
              render={({ field: { value, onChange } }) => (
                <Select {...field} value={value} onChange={onChange} options={identityOptions} />
              )}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
