import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import type { BadgeTone } from '#web/ui/badges/badge.tsx'

const away: Partial<Record<string, readonly [BadgeTone, string]>> = {
  open: ['green', 'Conectado'],
  connecting: ['amber', 'Reconectando'],
  unreachable: ['red', 'Sem resposta'],
  unauthorized: ['red', 'Chave recusada'],
  unlicensed: ['red', 'Sem licença'],
}

/** The state of a number in a word, and its colour. */
export function stateOf({
  isActive,
  status,
  lastConnectedAt,
}: Pick<EvolutionConfig, 'isActive' | 'status' | 'lastConnectedAt'>): { tone: BadgeTone; word: string } {
  if (!isActive) return { tone: 'neutral', word: 'Desativado' }
  const [tone, word] =
    away[status] ??
    (lastConnectedAt === null
      ? (['amber', 'Ainda não conectado'] as const)
      : (['red', 'Desconectado'] as const))
  return { tone, word }
}

export function openText(count: number): string {
  if (count === 0) return 'nenhuma conversa aberta'
  return count === 1 ? '1 conversa aberta' : `${count.toLocaleString('pt-BR')} conversas abertas`
}
