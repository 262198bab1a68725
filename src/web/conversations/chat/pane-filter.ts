import type { Conversation } from '#shared/conversations.ts'
import { isQueued } from '../list-order.ts'

export type PaneTab = 'mine' | 'queue' | 'all'

export const paneTabs: Record<
  PaneTab,
  { label: string; holds: (row: Conversation, userId: number) => boolean }
> = {
  mine: { label: 'Minhas', holds: (row, userId) => row.assignedUserId === userId },
  queue: { label: 'Fila', holds: isQueued },
  all: { label: 'Todas', holds: () => true },
}

/** Case-insensitive on the name, contains on the digits of the phone. @see specification §5 Active list search */
export function matchesSearch({ contact }: Conversation, search: string): boolean {
  const wanted = search.trim().toLocaleLowerCase('pt-BR')
  if (wanted === '') return true
  if (contact.name.toLocaleLowerCase('pt-BR').includes(wanted)) return true
  const digits = wanted.replace(/\D/g, '')
  return digits !== '' && (contact.phone?.includes(digits) ?? false)
}
