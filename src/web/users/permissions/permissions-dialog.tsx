import type { Account } from '#shared/users/accounts.ts'
import { type Flag, flags as flagNames, type Flags, type Role, roles } from '#shared/permissions.ts'
import { roleLabels } from '#shared/text/text.ts'
import type { UserPermission } from '#shared/users/user-permissions.ts'
import { NetworkError, reasonOf } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { FlagList, powerlessOf } from './flag-list.tsx'
import { PhonesChoice } from './phones-choice.tsx'
import { useChangeRole, useSaveFlags } from './queries.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { ViewAs } from './view-as.tsx'

const roleOptions = roles.toReversed().map((value) => ({ value, label: roleLabels[value] }))

export type PermissionsTab = 'permissoes' | 'ver-como'

/** The permissions of a person, and what the screens are with them. */
export function PermissionsDialog({
  account,
  permission,
  tab,
  onTab,
  onClose,
}: {
  account: Account
  permission: UserPermission
  tab: PermissionsTab
  onTab: (tab: PermissionsTab) => void
  onClose: () => void
}) {
  const { name, username, email, role } = account
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={name}
      description={`@${username} · ${email}`}
      className="md:max-w-[1064px]"
      footer={
        <>
          <p className="mr-auto text-xs text-ink-2">
            {tab === 'ver-como'
              ? 'Só as telas e os botões: nenhum dado da pessoa é aberto.'
              : role === 'admin'
                ? 'Um administrador tem todas as permissões.'
                : 'Cada mudança vale na hora, também para quem já está conectado.'}
          </p>
          <Button onClick={onClose}>Fechar</Button>
        </>
      }
    >
      <div className="md:-mt-3">
        <Tabs
          label="Permissões da pessoa"
          tabs={[
            { value: 'permissoes', label: 'Permissões' },
            { value: 'ver-como', label: 'Ver como' },
          ]}
          value={tab}
          onChange={(next) => onTab(next as PermissionsTab)}
        >
          <div className="grid gap-3.5 pt-3.5">
            {tab === 'ver-como' ? (
              <ViewAs account={account} permission={permission} />
            ) : (
              <FlagSwitches account={account} permission={permission} />
            )}
          </div>
        </Tabs>
      </div>
    </Dialog>
  )
}

/** The flags of a person, who is no administrator. Every change holds at once, also in open screens. */
function FlagSwitches({ account, permission }: { account: Account; permission: UserPermission }) {
  const { id, role } = account
  const isAdmin = role === 'admin'
  const powerless = powerlessOf(role)
  const isOn = (flag: Flag) => permission.flags[flag] && !powerless.has(flag)
  const save = useSave(id, permission.createdAt !== null)
  const changeRole = useRole(id)
  const setAll = (value: boolean) =>
    save(
      Object.fromEntries(
        flagNames.filter((flag) => !powerless.has(flag)).map((flag) => [flag, value]),
      ) as Partial<Flags>,
    )
  return (
    <>
      {!isAdmin && <ScopeChoice userId={id} name={account.name} />}
      {!isAdmin && <PhonesChoice userId={id} name={account.name} />}
      <div className="flex flex-wrap items-center gap-2">
        <p aria-live="polite" className="text-sm tabular-nums">
          <b className="font-semibold">{flagNames.filter(isOn).length}</b> de {flagNames.length} permissões
          ativadas
        </p>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Select
            aria-label="Perfil"
            fieldSize="bar"
            value={role}
            onChange={(value) => changeRole(value as Role)}
            options={roleOptions}
          />
          <Button disabled={isAdmin} onClick={() => setAll(true)}>
            Ativar todas
          </Button>
          <Button disabled={isAdmin} onClick={() => setAll(false)}>
            Desativar todas
          </Button>
        </div>
      </div>
      <FlagList
        role={role}
        flags={permission.flags}
        scope={permission.scope}
        onChange={(flag, value) => save({ [flag]: value })}
      />
    </>
  )
}

function useSave(userId: number, isCustom: boolean) {
  const { mutate } = useSaveFlags(userId)
  return (flags: Partial<Flags>) =>
    mutate(flags, {
      onSuccess: () =>
        toast({ tone: 'success', title: 'Sucesso', description: 'Permissão atualizada com sucesso!' }),
      onError: (error) =>
        toast({
          tone: 'error',
          title: '❌ Erro',
          description: isCustom
            ? `Falha ao atualizar permissões: ${reasonOf(error)}`
            : `Falha ao criar permissões: ${reasonOf(error)}`,
        }),
    })
}

/** The role holds at once, and its own permissions with it. */
function useRole(id: number) {
  const { mutate } = useChangeRole(id)
  return (role: Role) =>
    mutate(role, {
      onSuccess: () => toast({ tone: 'success', title: 'Tipo de usuário alterado' }),
      onError: (error) =>
        toast({
          tone: 'error',
          title: 'Erro ao alterar tipo de usuário',
          description:
            error instanceof NetworkError
              ? 'Ocorreu um erro inesperado. Tente novamente.'
              : 'Não foi possível alterar o tipo de usuário. Tente novamente.',
        }),
    })
}
