import { ArrowDownWideNarrow } from 'lucide-react'
import type { ListTab } from '#shared/conversations/list/list-view.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { orderChoices, orderLabel, orderOptions } from './list-choices.ts'

/** Chooses the order of a tab, which this browser remembers. */
export function OrderMenu({ tab, isSmall = false }: { tab: ListTab; isSmall?: boolean }) {
  const label = `Ordenar: ${orderLabel(orderChoices[tab].use()).toLocaleLowerCase('pt-BR')}`
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
      <OrderChoice tab={tab} />
    </Menu>
  )
}

/** In a menu. */
export function OrderChoice({ tab }: { tab: ListTab }) {
  const choice = orderChoices[tab]
  const options = orderOptions.filter(({ value }) =>
    tab === 'snoozed' ? value !== 'waiting' : value !== 'return',
  )
  return <MenuChoice label="Ordenar" options={options} value={choice.use()} onChoose={choice.set} />
}
