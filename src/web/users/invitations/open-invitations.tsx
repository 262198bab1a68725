import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatPhone } from '#shared/text/phone.ts'
import type { Invitation } from '#shared/users/invitations.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { accountQueries } from '#web/users/accounts/queries.ts'
import { RoleBadge } from '#web/users/accounts/role-badge.tsx'
import { invitationsQuery, useWithdraw } from './queries.ts'

/** The invitations that nobody has used yet; nothing where there are none. */
export function OpenInvitations() {
  const invitations = useQuery(invitationsQuery())
  const [asked, setAsked] = useState<Invitation>()
  useFreshAccounts(invitations.data?.length)
  if (invitations.data === undefined)
    return invitations.error ? (
      <Card className="mt-4">
        <ErrorState
          title="Não foi possível carregar os convites"
          description={invitations.error.message}
          isRetrying={invitations.isFetching}
          onRetry={() => void invitations.refetch()}
        />
      </Card>
    ) : null
  if (invitations.data.length === 0) return null
  return (
    <section aria-labelledby="open-invitations" className="mt-5">
      <h2 id="open-invitations" className="mb-2 text-base font-semibold">
        Convites abertos
      </h2>
      <Card>
        <ul aria-label="Convites abertos">
          {invitations.data.map((invitation) => (
            <li
              key={invitation.id}
              className={[
                'flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5',
                'border-b border-line last:border-b-0',
              ].join(' ')}
            >
              <MailOpen size={16} aria-hidden className="flex-none text-ink-3" />
              <div className="min-w-0 flex-1 basis-52 text-sm">
                <p className="truncate font-medium" dir="auto">
                  {nameOf(invitation)}
                </p>
                <p className="text-xs text-ink-2">{factsOf(invitation)}</p>
              </div>
              <RoleBadge role={invitation.role} />
              <Button size="sm" onClick={() => setAsked(invitation)}>
                Retirar
                <span className="sr-only"> o convite de {nameOf(invitation)}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      {asked && <WithdrawDialog invitation={asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

/** Whoever has joined is an account: one invitation fewer means that the accounts may be others. */
function useFreshAccounts(count: number | undefined): void {
  const client = useQueryClient()
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== undefined && count !== undefined && count < before.current)
      void client.invalidateQueries({ queryKey: accountQueries.list().queryKey })
    before.current = count
  }, [client, count])
}

const nameOf = ({ name }: Invitation) => (name === '' ? 'Sem nome' : name)

function factsOf({ invitedBy, sentTo, expiresAt, flags }: Invitation): string {
  return [
    `de ${invitedBy}`,
    `vale até ${dateTime(expiresAt)}`,
    sentTo !== null && `enviado a ${formatPhone(sentTo)}`,
    flags !== null && 'permissões escolhidas',
  ]
    .filter(Boolean)
    .join(' · ')
}

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdraw = useWithdraw()
  const run = () =>
    withdraw.mutateAsync(invitation.id).then(
      () => {
        toast({ tone: 'success', title: 'Convite retirado' })
        onClose()
      },
      () => undefined,
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Retirar convite"
      description={<span dir="auto">{nameOf(invitation)}</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            isBusy={withdraw.isPending}
            busyLabel="Retirando..."
            onClick={() => void run()}
          >
            Retirar
          </Button>
        </>
      }
    >
      <p className="text-sm">O link deixa de valer na hora. Para convidar de novo, crie outro.</p>
      {withdraw.error && (
        <p role="alert" className="text-sm text-red-text">
          {reasonOf(withdraw.error)}
        </p>
      )}
    </Dialog>
  )
}
