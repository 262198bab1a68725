import { LogOut, RotateCw, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { GatewayLink } from '#shared/gateway/gateway-link.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import type { LinkActs } from './queries.ts'

/** A number that is connected: whose it is, what it last told, and how to end that. */
export function OpenView({
  link,
  acts,
  onRestart,
  onError,
}: {
  link: GatewayLink
  acts: LinkActs
  onRestart: () => void
  onError: (title: string) => { onError: (error: Error) => void }
}) {
  const [isLeaving, setIsLeaving] = useState(false)
  const nowMs = useNow(30_000)
  const { restart, logOut } = acts
  const name = link.profileName ?? link.instanceName
  const phone = link.number ? formatPhone(link.number) : undefined
  const heard = link.heardAt
    ? `Último evento ${relativeTime(Date.parse(link.heardAt), nowMs)}.`
    : 'Nenhum evento chegou no último dia.'
  const count = link.waitingCount
  const waiting =
    count === 0
      ? 'Nada esperando para sair.'
      : `${count} ${count === 1 ? 'mensagem esperando' : 'mensagens esperando'} para sair.`
  const leave = () =>
    logOut.mutate(undefined, {
      ...onError('Não foi possível sair do WhatsApp'),
      onSuccess: () => setIsLeaving(false),
    })
  return (
    <div className="grid gap-3 p-4">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={name} size={36} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold" title={name}>
            {name}
          </p>
          <p className="text-sm text-ink-2 tabular-nums">{phone ?? link.instanceName}</p>
        </div>
        <Badge tone="green">Conectado</Badge>
      </div>
      {link.reason === 'replaced' && (
        <p
          role="status"
          className={[
            'flex gap-2 rounded-control border border-amber-line bg-amber-soft px-3 py-2',
            'text-sm text-amber-text',
          ].join(' ')}
        >
          <TriangleAlert size={16} aria-hidden className="mt-px flex-none" />
          Outro programa usa esta conexão: a mesma sessão foi aberta em outro lugar, e as duas se derrubam.
          Feche a outra Evolution API que usa este número.
        </p>
      )}
      <p className="text-sm text-ink-2">
        {heard} {waiting}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={RotateCw} isBusy={restart.isPending} busyLabel="Reconectando..." onClick={onRestart}>
          Reconectar
        </Button>
        <Button variant="danger" icon={LogOut} onClick={() => setIsLeaving(true)}>
          Sair do WhatsApp
        </Button>
      </div>
      <Dialog
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Sair do WhatsApp"
        footer={
          <>
            <Button onClick={() => setIsLeaving(false)}>Cancelar</Button>
            <Button
              variant="dangerSolid"
              icon={LogOut}
              isBusy={logOut.isPending}
              busyLabel="Saindo..."
              onClick={leave}
            >
              Sair do WhatsApp
            </Button>
          </>
        }
      >
        <p className="text-sm">
          O número <b>{phone ?? link.instanceName}</b> deixa de receber e de enviar mensagens até alguém ler
          um QR code de novo com o celular dele. As conversas ficam como estão, e o que for escrito espera.
        </p>
      </Dialog>
    </div>
  )
}
