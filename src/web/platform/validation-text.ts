import type * as z from 'zod/mini'

/**
 * What a form says of a value whose schema has no words of its own; set for the whole page in main.tsx.
 * zod/mini comes without a language, and a complete locale of zod would be several times as large.
 */
export function validationText(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'too_big') return `No máximo ${amount(issue.maximum, issue.origin)}`
  if (issue.code === 'too_small') return `No mínimo ${amount(issue.minimum, issue.origin)}`
  return 'Valor inválido'
}

function amount(limit: number | bigint, origin: string): string {
  const number = limit.toLocaleString('pt-BR')
  const [one, many] = units[origin] ?? ['', '']
  return `${number} ${limit === 1 ? one : many}`.trim()
}

const units: Record<string, [one: string, many: string]> = {
  string: ['caractere', 'caracteres'],
  array: ['item', 'itens'],
}
