import { bag, text } from './values.ts'

const mostFields = 200

/** JSON within a string; undefined for anything else. */
export function jsonIn(json: unknown): unknown {
  const source = text(json)
  if (source === undefined || source.length > 100_000) return undefined
  try {
    return JSON.parse(source) as unknown
  } catch {
    return undefined
  }
}

/** 'screen_0_Nome_0' and 'nome_completo' as people read them. */
const nameOf = (key: string) =>
  key
    .replace(/^screen_\d+_(.+?)(?:_\d+)?$/s, '$1')
    .replaceAll('_', ' ')
    .trim()

function answerOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'number') return String(value)
  // A choice begins with its number.
  if (typeof value === 'string') return value.replace(/^\d+_(?=\S)/, '').trim() || undefined
  if (!Array.isArray(value)) return undefined
  return value.slice(0, mostFields).map(answerOf).filter(Boolean).join(', ') || undefined
}

/** What a client answered in a form, a line for each field; undefined when there is none. */
export function answersIn(params: unknown): string | undefined {
  const lines = Object.entries(bag(jsonIn(params)))
    .slice(0, mostFields)
    .flatMap(([key, value]) => {
      const answer = key === 'flow_token' ? undefined : answerOf(value)
      return answer === undefined ? [] : [`${nameOf(key)}: ${answer}`]
    })
  return lines.join('\n') || undefined
}
