import { Ban, LockOpen, Pencil, Trash2 } from 'lucide-react'
import type { Account } from '#shared/users/accounts.ts'
import { isDeclined } from '#web/platform/api/api.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { LastAccess } from './last-access.tsx'
import { useToggleBlock } from './queries.ts'
import { RoleBadge } from './role-badge.tsx'

const cellLook = 'px-2 py-1.5 max-lg:block max-lg:p-0 lg:first:pl-4 lg:last:pr-4'
const emailLook = [
  'text-ink-2 max-md:w-full max-md:pl-[38px]',
  'md:max-lg:w-[calc(56%-0.75rem)] md:max-lg:pr-26',
].join(' ')

/** One line where the rows are of a table. */
const underNameLook = 'flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-3'

/** An account; its own person can neither block nor delete it. */
export function AccountRow({
  account,
  isSelf,
  onEdit,
  onDelete,
}: {
  account: Account
  isSelf: boolean
  onEdit: () => void
  onDelete: () => void
}) {
  const { id, name, username, email, role, activeConversations, completedConversations } = account
  const isShut = account.isBlocked || account.isLoginLocked
  const { mutate, isPending } = useToggleBlock()
  // The specification lets it fail in silence, but somebody might believe that the person is shut out.
  const toggle = () =>
    mutate(id, {
      onError: (error) => {
        if (isDeclined(error)) return
        toast({
          tone: 'error',
          title: isShut ? 'Erro ao desbloquear usuário' : 'Erro ao bloquear usuário',
          description: error.message,
        })
      },
    })
  return (
    <tr
      className={[
        'border-t border-line text-sm first:border-t-0 lg:hover:bg-hover',
        'max-lg:relative max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1',
        'max-lg:px-4 max-lg:py-2.5',
      ].join(' ')}
    >
      <td className={`${cellLook} max-md:w-full max-md:pr-26 md:max-lg:w-[44%]`}>
        <div className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} src={account.pictureUrl} size={28} />
          <div className="min-w-0">
            <p
              className={cn('truncate font-medium', !account.isActive && 'text-ink-3')}
              title={name}
              dir="auto"
            >
              {name}
            </p>
            <div className={underNameLook}>
              <span className="truncate">@{username}</span>
              <StateBadge account={account} />
              <LastAccess account={account} />
            </div>
          </div>
        </div>
      </td>
      <td className={`${cellLook} ${emailLook}`}>
        <span className="block truncate" title={email}>
          {email}
        </span>
      </td>
      <td className={`${cellLook} max-lg:pl-[38px]`}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5">
          <RoleBadge role={role} />
          <GivenNumbers account={account} />
        </span>
      </td>
      <td className={`${cellLook} whitespace-nowrap text-ink-2 tabular-nums`}>
        <span className="inline-block lg:min-w-20 max-lg:mr-3">
          <b className="font-semibold text-ink">{activeConversations}</b> ativas
        </span>
        <span className="inline-block lg:min-w-24">
          <b className="font-semibold text-ink">{completedConversations}</b> finalizadas
        </span>
      </td>
      <td className={`${cellLook} text-right whitespace-nowrap max-lg:absolute max-lg:top-2 max-lg:right-2`}>
        <IconButton
          label={`${isShut ? 'Desbloquear' : 'Bloquear'} ${name}`}
          icon={isShut ? LockOpen : Ban}
          disabled={isSelf}
          isBusy={isPending}
          onClick={toggle}
        />
        <IconButton label={`Editar ${name}`} icon={Pencil} onClick={onEdit} />
        <IconButton
          label={`Excluir ${name}`}
          icon={Trash2}
          tone="danger"
          disabled={isSelf}
          onClick={onDelete}
        />
      </td>
    </tr>
  )
}

/** The numbers of somebody who has not got all of them. */
function GivenNumbers({ account: { role, numberIds } }: { account: Account }) {
  const { living } = useNumbers()
  if (numberIds === null || role === 'admin' || living.length < 2) return null
  const names = living.filter(({ id }) => numberIds.includes(id)).map(({ name }) => name)
  if (names.length === living.length) return null
  const [only] = names
  return (
    <span
      className="max-w-full min-w-0 truncate text-xs text-ink-2"
      title={names.length === 0 ? 'Não atende nenhum número' : `Atende ${names.join(', ')}`}
    >
      {names.length === 1 ? `só ${only}` : names.length === 0 ? 'nenhum número' : `${names.length} números`}
    </span>
  )
}

/** Why somebody cannot sign in, or must do something first. */
function StateBadge({ account }: { account: Account }) {
  const { isActive, isBlocked, isLoginLocked, mustChangePassword } = account
  if (!isActive) return <Badge>Inativo</Badge>
  if (isBlocked) return <Badge tone="red">Bloqueado</Badge>
  if (isLoginLocked)
    return (
      <Badge tone="amber" title="Três senhas erradas; novas entradas são recusadas">
        Senha errada 3 vezes
      </Badge>
    )
  if (mustChangePassword)
    return <Badge title="A senha foi criada por outra pessoa e ainda não foi trocada">Senha provisória</Badge>
  return null
}
