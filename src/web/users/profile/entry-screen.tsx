import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { accountFields } from '#shared/users/accounts.ts'
import type { Me, Pending } from '#shared/users/users.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { EntryFrame } from '#web/users/login/entry-frame.tsx'
import { NewPassword } from './new-password.tsx'
import { useSaveProfile, useSecondFactorChanged } from './queries.ts'
import { SecondFactorSetup } from './second-factor-setup.tsx'

const words: Record<Pending, { title: string; text: string }> = {
  password: {
    title: 'Escolha sua senha',
    text: 'A senha que você recebeu foi criada por outra pessoa. Escolha uma que só você conheça.',
  },
  printed_password: {
    title: 'Escolha sua senha',
    text: 'Troque a senha que apareceu no terminal. Escolha uma que só você conheça.',
  },
  second_factor: {
    title: 'Verificação em duas etapas',
    text: 'Para o seu perfil, além da senha é preciso um código do celular.',
  },
}

/** What a person must do before anything else is shown. */
export function EntryScreen({ me, pending, onClose }: { me: Me; pending: Pending; onClose: () => void }) {
  const changed = useSecondFactorChanged()
  const { title, text } = words[pending]
  return (
    <EntryFrame
      title={title}
      text={text}
      below={
        <p className="mt-4 text-sm text-ink-2">
          {me.name} (@{me.username}) ·{' '}
          <Button variant="link" size="sm" onClick={onClose}>
            Sair
          </Button>
        </p>
      }
    >
      {pending === 'second_factor' ? (
        <SecondFactorSetup username={me.username} onDone={changed} />
      ) : (
        <FirstPassword />
      )}
    </EntryFrame>
  )
}

const form = z.object({ password: accountFields.password, again: z.string() }).check(
  z.refine(({ password, again }) => password === again, {
    path: ['again'],
    error: 'As senhas não são iguais',
  }),
)

function FirstPassword() {
  const save = useSaveProfile()
  const {
    register,
    handleSubmit,
    setError,
    control,
    formState: { errors },
  } = useForm({ resolver: zodResolver(form), defaultValues: { password: '', again: '' } })
  const typed = useWatch({ control, name: 'password' })
  const submit = handleSubmit(({ password }) =>
    save.mutateAsync({ password }).then(undefined, (error: Error) => {
      if (error instanceof ApiError && error.status === 422)
        return setError('password', { message: error.message }, { shouldFocus: true })
      toast({ tone: 'error', title: 'Erro', description: error.message })
    }),
  )
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <NewPassword
        label="Nova senha"
        error={errors.password?.message}
        registered={register('password')}
        typed={typed}
      />
      <Field label="Repita a nova senha" error={errors.again?.message}>
        {(field) => <PasswordInput {...field} {...register('again')} autoComplete="new-password" />}
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="login"
        isBlock
        isBusy={save.isPending}
        busyLabel="Salvando..."
      >
        Salvar e entrar
      </Button>
    </form>
  )
}
