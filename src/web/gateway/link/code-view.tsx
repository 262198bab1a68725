import { codeLifeMs, type GatewayLink } from '#shared/gateway/gateway-link.ts'
import type { ReactNode } from 'react'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { QrCode } from '#web/ui/badges/qr-code.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { Hourglass } from 'lucide-react'
import { pairingWords } from './link-words.ts'
import { PairingForm } from './pairing-form.tsx'
import type { LinkActs } from './queries.ts'

const steps = [
  'Abra o WhatsApp no celular do número',
  'Toque em Aparelhos conectados, depois em Conectar aparelho',
]

const numberLook =
  'grid size-5 flex-none place-items-center rounded-full bg-sunken text-xs font-medium text-ink-2'

const pairingLook =
  'rounded-control border border-line bg-sunken px-3 py-1.5 font-mono text-lg tracking-wider'

/** The code that links the phone, until the next one comes, and the way without a camera. */
export function CodeView({
  link,
  code,
  acts,
  onPair,
  onCancel,
}: {
  link: GatewayLink
  code: NonNullable<GatewayLink['code']>
  acts: LinkActs
  onPair: (number: string) => void
  onCancel: () => void
}) {
  return (
    <>
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 border-b border-line pr-2 pl-4">
        <p className="min-w-0 truncate text-base font-semibold" title={link.instanceName}>
          {link.instanceName}
        </p>
        {/* A row of its own on a telephone. */}
        <div className="max-md:order-last max-md:w-full max-md:pb-2.5">
          <Badge tone="amber" icon={Hourglass}>
            Aguardando o celular
          </Badge>
        </div>
        <Button
          size="sm"
          variant="ghost"
          className="my-1.5 ml-auto"
          isBusy={acts.logOut.isPending}
          busyLabel="Cancelando..."
          onClick={onCancel}
        >
          Cancelar
        </Button>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4 md:grid-cols-[auto_minmax(0,1fr)]">
        <div className="grid content-start justify-items-center gap-2.5">
          <div className="rounded-control border border-line">
            <QrCode text={code.text} label="QR code para conectar o número" className="size-[216px]" />
          </div>
          <CodeLife shownAt={code.shownAt} />
        </div>
        {/* Whoever has asked for a pairing code has no camera: on a telephone it is above the QR code. */}
        <div
          className={[
            'grid min-w-0 content-start gap-3.5 text-sm',
            code.pairingCode === null ? '' : 'max-md:order-first',
          ].join(' ')}
        >
          {code.pairingCode === null ? (
            <>
              <Steps last="Aponte a câmera para o quadrado" />
              <div className="border-t border-line pt-3.5">
                <PairingForm isBusy={acts.connect.isPending} onSubmit={onPair} />
              </div>
            </>
          ) : (
            <>
              <Steps
                last={
                  <span>
                    Escolha <b>Conectar com número de telefone</b> e digite:
                  </span>
                }
              />
              <PairingCode code={pairingWords(code.pairingCode)} />
            </>
          )}
          <p role="status" className="text-xs text-ink-3">
            Código {code.count}. Um novo aparece sozinho; depois de muitos sem leitura, a Evolution API para.
          </p>
        </div>
      </div>
    </>
  )
}

function Steps({ last }: { last: ReactNode }) {
  return (
    <ol className="grid gap-2.5">
      {[...steps, last].map((step, n) => (
        <li key={n} className="flex items-start gap-2.5">
          <span className={numberLook}>{n + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  )
}

function PairingCode({ code }: { code: string }) {
  return (
    <p className="ml-[30px] flex items-center gap-2">
      <span aria-label={`Código de pareamento ${code}`} role="img" className={pairingLook}>
        {code}
      </span>
      <CopyButton what="código" text={code} />
    </p>
  )
}

function CodeLife({ shownAt }: { shownAt: string }) {
  const nowMs = useNow(1000)
  const leftMs = Math.max(0, Date.parse(shownAt) + codeLifeMs - nowMs)
  const seconds = Math.ceil(leftMs / 1000)
  return (
    <div className="flex w-[216px] items-center gap-2 text-xs text-ink-2 tabular-nums">
      <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${(leftMs / codeLifeMs) * 100}%` }}
        />
      </span>
      {seconds > 0 ? `novo em ${seconds} s` : 'pedindo um novo…'}
    </div>
  )
}
