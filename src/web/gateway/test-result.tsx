import { CircleAlert, CircleCheck } from 'lucide-react'
import type * as z from 'zod/mini'
import type { testEvolutionConfig } from '#shared/gateway/gateway.ts'
import { Badge } from '#web/ui/badges/badge.tsx'

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
