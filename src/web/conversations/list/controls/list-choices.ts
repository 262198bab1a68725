import { type ListOrder, listOrders, type ListTab, listTabs } from '#shared/conversations/list/list-view.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'

export const tabLabels: Record<ListTab, string> = {
  mine: 'Minhas',
  queue: 'Fila',
  all: 'Todas',
  snoozed: 'Em espera',
  waiting: 'Aguardando',
  going: 'Em andamento',
}
/** Always offered; the others only where somebody was led to them. */
export const usualTabs = ['mine', 'queue', 'all'] as const satisfies readonly ListTab[]

export const orderOptions = [
  { value: 'start', label: 'Início' },
  { value: 'waiting', label: 'Quem espera há mais tempo' },
  { value: 'activity', label: 'Última mensagem' },
  { value: 'return', label: 'Próximo retorno' },
  { value: 'sla', label: 'Prazo que vence primeiro' },
] as const satisfies { value: ListOrder; label: string }[]

export function orderLabel(order: ListOrder): string {
  return orderOptions.find(({ value }) => value === order)?.label ?? ''
}

function orderChoice(tab: ListTab, usual: ListOrder) {
  return storedChoice(
    `list_order_${tab}`,
    (stored): ListOrder => listOrders.find((order) => order === stored) ?? usual,
  )
}

/** The chosen order of each tab. 'Todas' begins with the specified one. */
export const orderChoices = {
  all: orderChoice('all', 'start'),
  mine: orderChoice('mine', 'waiting'),
  queue: orderChoice('queue', 'start'),
  snoozed: orderChoice('snoozed', 'return'),
  waiting: orderChoice('waiting', 'start'),
  going: orderChoice('going', 'waiting'),
}

/** Whether the list shows rows or whole cards where it is narrow, as beside a chat. */
export const lookChoice = storedChoice('list_look', (stored) => (stored === 'cards' ? 'cards' : 'rows'))

export function tabOf(name: string | null): ListTab {
  return listTabs.find((tab) => tab === name) ?? 'all'
}
