import { type SubmitEvent, useState } from 'react'
import { defaultFlags } from '#shared/users/default-flags.ts'
import type { Flags, Role } from '#shared/permissions.ts'
import { invitationLink } from '#shared/text/invitation-link.ts'
import { type Invitation, invitationDays } from '#shared/users/invitations.ts'
import { isDeclined, reasonOf } from '#web/platform/api/api.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { NumbersChoice } from '#web/users/accounts/numbers-choice.tsx'
import { RoleChoice } from '#web/users/accounts/role-choice.tsx'
import { FlagList } from '#web/users/permissions/flag-list.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { useInvite } from './queries.ts'

/** 'Convidar': what the person will be and may do, and then the link for them. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ invitation: Invitation; token: string }>()
  if (made)
    return (
      <InvitationLink
        invitation={made.invitation}
        token={made.token}
        link={invitationLink(location.origin, made.token)}
        onClose={onClose}
      />
    )
  return <InviteForm onMade={setMade} onClose={onClose} />
}

const permissionChoices = [
  { value: 'role', label: 'Do perfil' },
  { value: 'own', label: 'Escolhidas' },
] as const

function InviteForm({
  onMade,
  onClose,
}: {
  onMade: (made: { invitation: Invitation; token: string }) => void
  onClose: () => void
}) {
  const invite = useInvite()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [numberIds, setNumberIds] = useState<number[] | null>(null)
  const [flags, setFlags] = useState<Flags>()
  const lacksNumber = role !== 'admin' && numberIds?.length === 0
  const changeRole = (next: Role) => {
    setRole(next)
    // They were chosen for another role.
    setFlags(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (lacksNumber) return
    invite.mutate(
      { name, role, numberIds: role === 'admin' ? null : numberIds, ...(flags && { flags }) },
      { onSuccess: onMade },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Convidar"
      description={`Um link que vale por ${invitationDays} dias, uma vez. Nome e senha a pessoa escolhe.`}
      {...(flags && { className: 'md:max-w-[1064px]' })}
      footer={
        <FormFooter
          form="invite"
          isBusy={invite.isPending}
          label="Criar link"
          busyLabel="Criando..."
          onCancel={onClose}
        />
      }
    >
      <form id="invite" noValidate className="grid gap-3.5" onSubmit={submit}>
        <Field label="Para quem" hint="Opcional. Aparece no convite e na lista dos abertos.">
          {(field) => (
            <Input
              {...field}
              value={name}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <RoleChoice value={role} onChange={changeRole} isDisabled={false} />
        <NumbersChoice
          value={numberIds}
          role={role}
          error={lacksNumber ? 'Escolha ao menos um número' : undefined}
          onChange={setNumberIds}
        />
        {role !== 'admin' && (
          <div className="grid justify-items-start gap-1.5">
            <span className="text-sm font-medium">Permissões</span>
            <Segmented
              label="Permissões"
              value={flags ? 'own' : 'role'}
              options={permissionChoices}
              onChange={(next) => setFlags(next === 'own' ? defaultFlags(role) : undefined)}
            />
          </div>
        )}
        {flags && role !== 'admin' && (
          <FlagList
            role={role}
            flags={flags}
            onChange={(flag, value) => setFlags({ ...flags, [flag]: value })}
          />
        )}
        {invite.error && !isDeclined(invite.error) && (
          <p role="alert" className="text-sm text-red-text">
            {reasonOf(invite.error)}
          </p>
        )}
      </form>
    </Dialog>
  )
}
