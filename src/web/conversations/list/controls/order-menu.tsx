import { ArrowDownWideNarrow } from 'lucide-react'
import type { ListOrder, ListTab } from '#shared/conversations/list/list-view.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { useOrders } from '#web/conversations/list/filters/use-orders.ts'
import { orderLabel, orderOptions } from './list-choices.ts'

interface Choice {
  tab: ListTab
  order: ListOrder
  onOrder: (order: ListOrder) => void
}

/** Chooses the order of a tab, which this browser remembers, or of a view. */
export function OrderMenu({ tab, order, onOrder, isSmall = false }: Choice & { isSmall?: boolean }) {
  const label = `Ordenar: ${orderLabel(order).toLocaleLowerCase('pt-BR')}`
  return (
    <Menu
      trigger={
        isSmall ? (
          <IconButton label={label} icon={ArrowDownWideNarrow} size="sm" />
        ) : (
          <Button icon={ArrowDownWideNarrow}>{label}</Button>
        )
      }
    >
      <OrderChoice tab={tab} order={order} onOrder={onOrder} />
    </Menu>
  )
}

/** In a menu. */
export function OrderChoice({ tab, order, onOrder }: Choice) {
  const options = useOrders(orderOptions, tab, order)
  return <MenuChoice label="Ordenar" options={options} value={order} onChoose={onOrder} />
}
