import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { accountFields } from '#shared/users/accounts.ts'
import { roleLabels } from '#shared/text/text.ts'
import type { Me } from '#shared/users/users.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { SaveBar } from '#web/ui/forms/save-bar.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/me-context.ts'
import { NewPassword } from './new-password.tsx'
import { PictureField } from './picture-field.tsx'
import { useSaveProfile } from './queries.ts'

const { name, email, password } = accountFields
const form = z
  .object({
    name,
    email,
    /** Only with a new one. */
    currentPassword: z.string(),
    /** Sent only if it is not blank. @see specification §5 Profile */
    password: z.union([z.string().check(z.regex(/^\s*$/)), password]),
  })
  .check(
    z.refine(({ currentPassword, password }) => password.trim() === '' || currentPassword !== '', {
      path: ['currentPassword'],
      error: 'Informe a senha atual',
    }),
  )
type Values = z.infer<typeof form>

/** Name, address and password of the user. @param children what is saved on its own */
export function ProfileForm({ children }: { children: ReactNode }) {
  const me = useMe()
  const save = useSaveProfile()
  const {
    register,
    control,
    handleSubmit,
    reset,
    setError,
    formState: { errors, dirtyFields },
  } = useForm<Values>({
    resolver: zodResolver(form),
    defaultValues: valuesOf(me),
  })
  // Without a new registration of the fields, for which the compiler would not render them again.
  const goOnFrom = (saved: Me) => reset(valuesOf(saved), { keepFieldsRef: true })
  const typed = useWatch({ control, name: 'password' })
  const changes = Object.keys(dirtyFields).filter((key) => key !== 'currentPassword').length
  const leaving = useLeaveGuard(changes > 0)
  const submit = handleSubmit((values) => {
    const isPasswordNew = values.password.trim() !== ''
    return save
      .mutateAsync({
        name: values.name,
        email: values.email,
        ...(isPasswordNew && { password: values.password, currentPassword: values.currentPassword }),
      })
      .then(
        ({ user }) => {
          goOnFrom(user)
          toast({ tone: 'success', title: 'Perfil atualizado com sucesso' })
        },
        (error: Error) => {
          const field = fieldOf(error)
          if (field) return setError(field, { message: error.message }, { shouldFocus: true })
          toast({
            tone: 'error',
            title: 'Erro',
            description: (error instanceof ApiError && error.userMessage) || 'Erro ao atualizar perfil',
          })
        },
      )
  })
  return (
    <form noValidate className="flex flex-auto flex-col" onSubmit={(event) => void submit(event)}>
      <SettingsSection title="Dados" description="O nome aparece para os colegas e acima das suas mensagens.">
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <PictureField />
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm">
            <dt className="text-ink-3">Username</dt>
            <dd>@{me.username}</dd>
            <dt className="text-ink-3">Perfil</dt>
            <dd>{roleLabels[me.role]}</dd>
          </dl>
        </div>
        <div className="grid w-full items-start gap-3.5 md:grid-cols-2">
          <Field label="Nome" isRequired error={errors.name?.message}>
            {(field) => <Input {...field} {...register('name')} autoComplete="name" />}
          </Field>
          <Field label="Email" isRequired error={errors.email?.message}>
            {(field) => <Input {...field} {...register('email')} type="email" autoComplete="email" />}
          </Field>
        </div>
      </SettingsSection>
      <SettingsSection
        title="Senha"
        description="Em branco, fica como está. Trocar encerra as outras sessões."
      >
        <div className="grid w-full items-start gap-3.5 md:grid-cols-2">
          <Field label="Senha atual" error={errors.currentPassword?.message}>
            {(field) => (
              <PasswordInput {...field} {...register('currentPassword')} autoComplete="current-password" />
            )}
          </Field>
          <NewPassword
            label="Nova senha"
            error={errors.password?.message}
            registered={register('password')}
            typed={typed}
          />
        </div>
      </SettingsSection>
      {children}
      <SaveBar changeCount={changes} isBusy={save.isPending} onDiscard={() => goOnFrom(me)} />
      <LeaveDialog leaving={leaving} />
    </form>
  )
}

const valuesOf = ({ name, email }: Me): Values => ({ name, email, currentPassword: '', password: '' })

/** The field that the server's refusal is about. */
function fieldOf(error: Error): keyof Values | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'users.email_taken') return 'email'
  if (error.code === 'profile.wrong_password') return 'currentPassword'
  return error.code === 'users.common_password' || error.code === 'profile.same_password'
    ? 'password'
    : undefined
}
