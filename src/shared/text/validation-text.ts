import type * as z from 'zod/mini'

/**
 * What is said of a value whose schema has no words of its own, by forms and by the server alike. zod/mini
 * comes without a language; a complete locale of zod would be several times as large, and speaks of arrays,
 * types and regular expressions.
 */
export function validationText(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return absentText
  if (issue.code === 'unrecognized_keys') return `Campo desconhecido: ${issue.keys.join(', ')}`
  if (issue.code === 'too_big' && issue.maximum < largestId)
    return `No máximo ${amount(issue.maximum, issue.origin)}`
  if (issue.code === 'too_small') return `No mínimo ${amount(issue.minimum, issue.origin)}`
  // Of a value that is blank or something: what the something says of it.
  if (issue.code === 'invalid_union') return issue.errors.at(-1)?.[0]?.message ?? 'Valor inválido'
  return 'Valor inválido'
}

/** Nobody is told of what ids can be at most. */
const largestId = 2 ** 31 - 1

const absentText = 'Campo obrigatório'

function amount(limit: number | bigint, origin: string): string {
  const number = limit.toLocaleString('pt-BR')
  const [one, many] = units[origin] ?? ['', '']
  return `${number} ${limit === 1 ? one : many}`.trim()
}

const units: Record<string, [one: string, many: string]> = {
  string: ['caractere', 'caracteres'],
  array: ['item', 'itens'],
}
