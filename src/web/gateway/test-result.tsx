import { CircleAlert, CircleCheck } from 'lucide-react'
import type * as z from 'zod/mini'
import type { testEvolutionConfig } from '#shared/gateway/gateway.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'

/** The result of 'Testar Conexão', shown until the next test. @see specification §8 Gateway */
export function TestResult({
  result,
  error,
}: {
  result: z.output<NonNullable<typeof testEvolutionConfig.reply>> | undefined
  error: Error | null
}) {
  if (!result && !error) return null
  if (!result?.success)
    return (
      <div role="alert" className="flex gap-2 text-sm text-red-text">
        <CircleAlert size={16} aria-hidden className="mt-px" />
        <div className="min-w-0 wrap-anywhere">
          <p className="font-medium">Falha na conectividade: {result?.message ?? error?.message}</p>
          {result?.details && <p className="mt-0.5 text-ink-2">{result.details}</p>}
          {result?.missingHost && <MissingHost host={result.missingHost} />}
        </div>
      </div>
    )
  return (
    <div role="status" className="flex gap-2 text-sm">
      <CircleCheck size={16} aria-hidden className="mt-px text-green" />
      <div className="min-w-0">
        <p className="font-medium">
          Teste de conectividade bem-sucedido! Total de {result.total} instâncias no servidor
        </p>
        {result.version && <p className="mt-0.5 text-ink-2">Evolution API {result.version}</p>}
        <ul className="mt-1.5 flex flex-wrap gap-1.5" aria-label="Instâncias no servidor">
          {result.instanceNames.map((name) => (
            <li key={name} className="max-w-full">
              <Badge title={name}>{name}</Badge>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The line that permits an address of the own network, and what else it needs. */
function MissingHost({ host }: { host: string }) {
  const line = `GATEWAY_ALLOWED_HOSTS=${host}`
  return (
    <div className="mt-2 grid justify-items-start gap-1.5 text-ink-2">
      <p>Se o gateway é seu e mora aí, ponha esta linha na configuração do servidor do Balcão:</p>
      <div
        className={[
          'flex max-w-full items-center gap-1.5 rounded-control border border-line bg-sunken',
          'py-1 pr-1 pl-2.5',
        ].join(' ')}
      >
        <code className="min-w-0 font-mono text-ink">{line}</code>
        <CopyButton what="linha" copied="Linha copiada" text={line} />
      </div>
      <p>
        Se a variável já existe, acrescente o endereço depois de uma vírgula. A mudança vale depois de
        reiniciar o servidor.
      </p>
    </div>
  )
}
