import { CircleCheck, Copy, Send } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { formatPhone } from '#shared/text/phone.ts'
import type { Invitation } from '#shared/users/invitations.ts'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useSendInvitation } from './queries.ts'

/** The link of a new invitation, which is shown this once: copied, or sent by WhatsApp. */
export function InvitationLink({
  invitation,
  token,
  link,
  onClose,
}: {
  invitation: Invitation
  token: string
  link: string
  onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Convite criado"
      description={`Vale até ${dateTime(invitation.expiresAt)}, uma vez só. O link não é mostrado de novo.`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Concluir
        </Button>
      }
    >
      <Field label="Link do convite" hint="Quem tem o link cria a conta. Mande só à pessoa.">
        {(field) => (
          <Input
            {...field}
            readOnly
            value={link}
            onFocus={({ target }) => target.select()}
            trailing={
              <IconButton
                size="sm"
                className="-mr-1.5"
                icon={Copy}
                label="Copiar link"
                onClick={() => void copy(link)}
              />
            }
          />
        )}
      </Field>
      <SendForm invitation={invitation} token={token} />
    </Dialog>
  )
}

async function copy(link: string): Promise<void> {
  if (await copyText(link)) toast({ title: 'Link copiado' })
  else
    toast({
      tone: 'error',
      title: 'Não foi possível copiar',
      description: 'Selecione o link e copie com Ctrl+C.',
    })
}

function SendForm({ invitation, token }: { invitation: Invitation; token: string }) {
  const send = useSendInvitation(invitation.id)
  const { living } = useNumbers()
  const usable = living.filter(({ isActive }) => isActive)
  const [phone, setPhone] = useState('')
  const [from, setFrom] = useState<string>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send.mutate({ token, phone, ...(from !== undefined && { instanceId: Number(from) }) })
  }
  const ofPhone = send.error instanceof ApiError ? send.error.fields['phone'] : undefined
  return (
    <form noValidate className="grid gap-3 border-t border-line pt-3.5" onSubmit={submit}>
      {usable.length > 1 && (
        <Field label="Enviar do número" className="max-w-[320px]">
          {(field) => (
            <Select
              {...field}
              value={from ?? String(usable[0]?.id)}
              onChange={setFrom}
              options={usable.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Ou enviar por WhatsApp" error={ofPhone} className="min-w-0 flex-1 basis-52">
          {(field) => (
            <Input
              {...field}
              value={phone}
              inputMode="tel"
              autoComplete="off"
              placeholder="(11) 95555-4444"
              onChange={({ target }) => setPhone(target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          size="tall"
          icon={Send}
          className="mt-[26px]"
          disabled={phone.trim() === ''}
          isBusy={send.isPending}
          busyLabel="Enviando..."
        >
          Enviar
        </Button>
      </div>
      {send.error && ofPhone === undefined && (
        <p role="alert" className="text-sm text-red-text">
          {reasonOf(send.error)}
        </p>
      )}
      {send.data?.sentTo && (
        <p role="status" className="flex items-center gap-1.5 text-sm text-green-text">
          <CircleCheck size={16} aria-hidden />
          Enviado a {formatPhone(send.data.sentTo)}
        </p>
      )}
    </form>
  )
}
