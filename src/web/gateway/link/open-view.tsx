import { LogOut, RotateCw, TriangleAlert } from 'lucide-react'
import type { GatewayLink } from '#shared/gateway/gateway-link.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'

/** A number that is connected: whose it is, what it last reported, and how to end that. */
export function OpenView({
  link,
  isRestarting,
  onRestart,
  onLeave,
}: {
  link: GatewayLink
  isRestarting: boolean
  onRestart: () => void
  /** Asks whether to leave WhatsApp. */
  onLeave: () => void
}) {
  const nowMs = useNow(30_000)
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
        <Button icon={RotateCw} isBusy={isRestarting} busyLabel="Reconectando..." onClick={onRestart}>
          Reconectar
        </Button>
        <Button variant="danger" icon={LogOut} onClick={onLeave}>
          Sair do WhatsApp
        </Button>
      </div>
    </div>
  )
}
