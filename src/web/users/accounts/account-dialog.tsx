import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Account, type AccountChange, accountFields } from '#shared/users/accounts.ts'
import { ApiError, isDeclined } from '#web/platform/api/api.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { NewPassword } from '#web/users/profile/new-password.tsx'
import { AccountSecurity } from './account-security.tsx'
import { useSaveAccount } from './queries.ts'
import { NumbersChoice } from './numbers-choice.tsx'
import { RoleChoice } from './role-choice.tsx'

const { username, name, email, password, role } = accountFields
const numberIds = z.nullable(z.array(z.int()).check(z.minLength(1, 'Escolha ao menos um número')))
const form = z.object({ username, name, email, password, role, isActive: z.boolean(), numberIds })
/** Blank: the password stays. */
const changeForm = z.extend(form, { password: z.union([z.literal(''), password]) })
type Values = z.infer<typeof form>

const blank: Values = {
  username: '',
  name: '',
  email: '',
  password: '',
  role: 'operator',
  isActive: true,
  numberIds: null,
}

/** 'Novo Usuário', or 'Editar Usuário' of the given account. */
export function AccountDialog({
  account,
  isSelf,
  onClose,
}: {
  account: Account | undefined
  isSelf: boolean
  onClose: () => void
}) {
  const save = useSaveAccount(account?.id)
  const stored: Values = account ? { ...pick(account), password: '' } : blank
  const {
    register,
    control,
    handleSubmit,
    setError,
    formState: { errors },
  } = useForm<Values>({
    resolver: zodResolver(account ? changeForm : form),
    defaultValues: stored,
  })
  const typed = useWatch({ control, name: 'password' })
  const chosenRole = useWatch({ control, name: 'role' })
  const known = useWatch({ control, name: ['username', 'name', 'email'] })
  const submit = handleSubmit((values) =>
    save.mutateAsync(account ? changesOf(stored, values) : values).then(
      () => {
        toast({
          tone: 'success',
          title: account ? 'Usuário atualizado com sucesso' : 'Usuário criado com sucesso',
        })
        onClose()
      },
      (error: Error) => {
        if (isDeclined(error)) return
        const field = fieldOf(error)
        if (field) return setError(field, { message: error.message }, { shouldFocus: true })
        toast({
          tone: 'error',
          title: account ? 'Erro ao atualizar usuário' : 'Erro ao criar usuário',
          ...(error instanceof ApiError && { description: error.userMessage }),
        })
      },
    ),
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={account ? 'Editar Usuário' : 'Novo Usuário'}
      footer={
        <FormFooter
          form="account"
          isBusy={save.isPending}
          label={account ? 'Atualizar' : 'Criar'}
          busyLabel={account ? 'Atualizando...' : 'Criando...'}
          onCancel={onClose}
        />
      }
    >
      <form id="account" noValidate className="grid gap-3.5" onSubmit={(event) => void submit(event)}>
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
        </Field>
        <div className="grid items-start gap-3.5 md:grid-cols-2">
          <Field label="Username" isRequired error={errors.username?.message}>
            {(field) => (
              <Input
                {...field}
                {...register('username')}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Email" isRequired error={errors.email?.message}>
            {(field) => <Input {...field} {...register('email')} type="email" autoComplete="off" />}
          </Field>
        </div>
        <NewPassword
          label="Senha"
          isRequired={!account}
          hint={account && 'deixe vazio para não alterar'}
          error={errors.password?.message}
          registered={register('password')}
          typed={typed}
          known={known}
        />
        <Controller
          control={control}
          name="role"
          render={({ field }) => (
            <RoleChoice value={field.value} onChange={field.onChange} isDisabled={isSelf} />
          )}
        />
        <Controller
          control={control}
          name="numberIds"
          render={({ field }) => (
            <NumbersChoice
              value={field.value}
              role={chosenRole}
              error={errors.numberIds?.message}
              onChange={field.onChange}
            />
          )}
        />
        <Controller
          control={control}
          name="isActive"
          render={({ field }) => (
            <span className="flex items-center gap-2 text-sm">
              <Switch
                id="is-active"
                checked={field.value}
                onCheckedChange={field.onChange}
                disabled={isSelf}
              />
              <label htmlFor="is-active">Usuário Ativo</label>
            </span>
          )}
        />
      </form>
      {account && !isSelf && <AccountSecurity account={account} />}
    </Dialog>
  )
}

const pick = ({
  username,
  name,
  email,
  role,
  isActive,
  numberIds: given,
}: Account): Omit<Values, 'password'> => ({
  username,
  name,
  email,
  role,
  isActive,
  numberIds: given,
})

/** A blank password is not sent. */
const changesOf = (stored: Values, values: Values): AccountChange =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(stored[key as keyof Values]),
    ),
  )

/** The field that the server's refusal is about. */
function fieldOf(error: Error): keyof Values | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'users.username_taken') return 'username'
  if (error.code === 'users.email_taken') return 'email'
  return error.code === 'users.common_password' ? 'password' : undefined
}
