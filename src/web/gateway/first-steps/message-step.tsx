import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ExternalLink, MessageCircle, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { serverNow, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { linkQuery } from '#web/gateway/link/queries.ts'
import { VerifyWebhook } from '#web/gateway/link/verify-webhook.tsx'
import { useSkipStep } from './queries.ts'
import { StepRow } from './step-row.tsx'

/** Waits for the first message of a client, and says what to look at when none comes. */
export function MessageStep({
  config,
  isDone,
  isSkipped,
  isNext,
  conversationId,
  contactName,
}: {
  config: EvolutionConfig | undefined
  isDone: boolean
  isSkipped: boolean
  isNext: boolean
  conversationId: number | null
  contactName: string | null
}) {
  const note = isDone
    ? `A primeira mensagem chegou${contactName ? `, de ${contactName}` : ''}`
    : isSkipped
      ? 'Deixado para depois'
      : 'Um “oi” de outro celular, como um cliente faria'
  return (
    <StepRow
      number={3}
      title="Receber a primeira mensagem"
      note={note}
      isDone={isDone}
      isNext={isNext}
      action={
        isDone &&
        conversationId !== null && (
          <Button asChild variant="primary">
            <Link href={`/chat?conversation=${conversationId}`}>
              <MessageCircle size={16} aria-hidden className="-ml-[3px]" />
              Responder
            </Link>
          </Button>
        )
      }
    >
      {isNext && config && <Listening config={config} />}
    </StepRow>
  )
}

const wrongNumber =
  'Nenhuma mensagem em dois minutos, mas o gateway nos alcança. ' +
  'Confira se a mensagem foi para o número certo.'
const unreached = (address: string) =>
  `O gateway não alcança este endereço: ${address}. ` +
  'Confira a ida e volta, ou informe outra URL do webhook nas configurações.'

/** After so long something is wrong with the way here. */
const patienceMs = 120_000

function Listening({ config }: { config: EvolutionConfig }) {
  const [sinceMs] = useState(serverNow)
  const nowMs = useNow(1000)
  const link = useQuery(linkQuery(config.id))
  const skip = useSkipStep()
  const { number, heardAt } = link.data ?? {}
  const listenedMs = Math.max(0, nowMs - sinceMs)
  const isLate = listenedMs > patienceMs
  return (
    <>
      <p className="text-sm text-ink-2">
        De outro celular, mande um “oi” para{' '}
        <b className="text-ink">{number ? formatPhone(number) : 'este número'}</b>. A mensagem aparece aqui em
        segundos, e você responde como um operador faria.
      </p>
      <div className="flex flex-wrap gap-2">
        {number && (
          <Button asChild variant="primary">
            <a href={`https://wa.me/${number}?text=oi`} target="_blank" rel="noreferrer">
              <ExternalLink size={16} aria-hidden className="-ml-[3px]" />
              Abrir no WhatsApp
            </a>
          </Button>
        )}
        <Button variant="ghost" isBusy={skip.isPending} onClick={() => skip.mutate('message')}>
          Pular este passo
        </Button>
      </div>
      {isLate ? (
        <div
          role="status"
          className="grid gap-2.5 rounded-control border border-amber-line bg-amber-soft px-3 py-2.5"
        >
          <p className="flex gap-2 text-sm text-amber-text">
            <TriangleAlert size={16} aria-hidden className="mt-px flex-none" />
            {heardAt ? wrongNumber : unreached(config.webhookUrl ?? location.origin)}
          </p>
          <div className="grid justify-items-start gap-2">
            <VerifyWebhook id={config.id} />
            <Link
              href="/settings-advanced?aba=evolution"
              className="text-sm font-medium text-accent-text underline underline-offset-3"
            >
              Ver o diagnóstico
            </Link>
          </div>
        </div>
      ) : (
        <p
          className={[
            'flex items-center gap-2 rounded-control border border-line bg-sunken px-3 py-2',
            'text-sm text-ink-2 tabular-nums',
          ].join(' ')}
        >
          {heardAt ? (
            <CircleCheck size={16} aria-hidden className="flex-none text-green" />
          ) : (
            <Spinner className="flex-none" />
          )}
          Escutando há {Math.floor(listenedMs / 1000)} s{heardAt && ': o gateway já nos alcança'}
        </p>
      )}
    </>
  )
}
