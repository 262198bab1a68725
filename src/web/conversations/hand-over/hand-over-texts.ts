import { conversationsText } from './conversations-text.ts'

/** The outcome in Portuguese. @param name of the colleague; undefined for the queue */
export function handedOverText(count: number, name: string | undefined): string {
  if (count === 0) return 'Nenhuma conversa para passar'
  const [what, did] = [conversationsText(count), count === 1 ? 'passada' : 'passadas']
  return name === undefined ? `${what} de volta à fila` : `${what} ${did} para ${name}`
}
