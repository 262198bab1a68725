import { LayoutList, ListChecks } from 'lucide-react'
import { activePageSizes } from '#shared/conversations/conversations.ts'
import type { ListOrder, ListTab } from '#shared/conversations/list/list-view.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { lookChoice } from './list-choices.ts'
import { OrderChoice } from './order-menu.tsx'

const sizes = activePageSizes.map((size) => ({ value: `${size}`, label: `${size} itens` }))
const looks = [
  { value: 'rows', label: 'Linhas' },
  { value: 'cards', label: 'Cartões com todos os dados' },
] as const

/** 'Exibição' beside the chat: rows, or cards with everything that is known. */
export function LookMenu() {
  return (
    <Menu trigger={<IconButton label="Exibição" icon={LayoutList} size="sm" />}>
      <MenuChoice label="Mostrar" options={looks} value={lookChoice.use()} onChoose={lookChoice.set} />
    </Menu>
  )
}

/** 'Exibição': on narrow screens, the settings of the list that have their own controls on wide ones. */
export function DisplayMenu({
  tab,
  order,
  onOrder,
  limit,
  onLimit,
  onSelect,
}: {
  tab: ListTab
  order: ListOrder
  onOrder: (order: ListOrder) => void
  limit: number
  onLimit: (limit: number) => void
  /** Starts a selection. */
  onSelect: () => void
}) {
  const look = lookChoice.use()
  return (
    <Menu trigger={<IconButton label="Exibição" icon={LayoutList} className="md:hidden" />}>
      <MenuItem icon={ListChecks} onSelect={onSelect}>
        Selecionar conversas
      </MenuItem>
      <MenuLine />
      <OrderChoice tab={tab} order={order} onOrder={onOrder} />
      <MenuLine />
      <MenuChoice label="Mostrar" options={looks} value={look} onChoose={lookChoice.set} />
      <MenuLine />
      <MenuChoice
        label="Itens por página"
        options={sizes}
        value={`${limit}`}
        onChoose={(size) => onLimit(Number(size))}
      />
    </Menu>
  )
}
