import { Ban, CirclePlay, KeyRound, PlugZap, QrCode, Smartphone, Timer, Unplug } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import { Link } from 'wouter'
import type { GatewayLink } from '#shared/gateway/gateway-link.ts'
import { clockTime } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { linkWords, waitingWords } from './link-words.ts'
import { PairingForm } from './pairing-form.tsx'
import type { LinkActs } from './queries.ts'

function iconOf({ isActive, state, reason, lastConnectedAt }: GatewayLink): LucideIcon {
  if (!isActive) return CirclePlay
  if (state === 'unreachable') return Unplug
  if (state === 'unauthorized' || state === 'unlicensed') return KeyRound
  if (reason === 'codes' || reason === 'timed_out') return Timer
  if (reason === 'banned') return Ban
  if (reason === 'phone' || reason === 'us') return Smartphone
  return lastConnectedAt === null ? QrCode : PlugZap
}

/** The switch 'Conexão ativa' in the form of this number. */
function switchAddress(id: number): string {
  const place = { aba: 'evolution', numero: String(id), secao: 'Conexão', campo: 'Conexão ativa' }
  return `/settings-advanced?${new URLSearchParams(place)}`
}

/** Why the number is not connected, and the one thing to do about it. */
export function ClosedView({
  link,
  acts,
  onConnect,
  onRestart,
  onLook,
  isLooking,
}: {
  link: GatewayLink
  acts: LinkActs
  onConnect: (number?: string) => void
  onRestart: () => void
  onLook: () => void
  isLooking: boolean
}) {
  const words = linkWords(link, link.reasonAt ? ` às ${clockTime(link.reasonAt)}` : '')
  if (!words) return null
  const waiting = waitingWords(link.waitingCount)
  const run = { connect: () => onConnect(), restart: onRestart, look: onLook }
  return (
    <div className="grid justify-items-center gap-1.5 px-5 py-8 text-center">
      {createElement(iconOf(link), { size: 20, 'aria-hidden': true, className: 'mb-1 text-ink-3' })}
      <div role="status" className="grid justify-items-center gap-1.5">
        <p className="font-semibold text-balance">{words.title}</p>
        <p className="max-w-[52ch] text-sm text-pretty text-ink-2">
          {words.text} {waiting}
        </p>
      </div>
      {words.act === 'settings' ? (
        <Button asChild className="mt-2.5">
          <Link href={switchAddress(link.id)}>{words.label}</Link>
        </Button>
      ) : (
        <Button
          className="mt-2.5"
          variant={words.act === 'connect' ? 'primary' : 'outline'}
          isBusy={acts.connect.isPending || acts.restart.isPending || (words.act === 'look' && isLooking)}
          busyLabel={words.act === 'connect' ? 'Gerando...' : 'Tentando...'}
          onClick={run[words.act]}
        >
          {words.label}
        </Button>
      )}
      {words.act === 'restart' && (
        <Button variant="link" size="sm" isBusy={acts.connect.isPending} onClick={() => onConnect()}>
          Mostrar QR code
        </Button>
      )}
      {words.act === 'connect' && (
        <div className="mt-1.5 text-sm">
          <PairingForm isBusy={acts.connect.isPending} onSubmit={onConnect} />
        </div>
      )}
    </div>
  )
}
