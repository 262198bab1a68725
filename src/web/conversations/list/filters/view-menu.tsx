import { GripVertical, Pencil } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ListMoment } from '#shared/views/meets.ts'
import type { SavedView } from '#shared/views/views.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { PopoverContent } from '#web/ui/overlays/popover-content.tsx'
import { useOrder } from '#web/ui/use-order.ts'
import { useMe } from '#web/users/users.tsx'
import { useOrderViews } from '#web/views/views.tsx'
import { countView } from './count-view.ts'

const nameLook = 'flex h-8 min-w-0 flex-1 items-center gap-2 rounded-[7px] px-1 text-left max-md:h-11'

/** The saved views with whom they are for and how many conversations they show, in the person's order. */
export function ViewMenu({
  place,
  views,
  shownId,
  rows,
  moment,
  onShow,
  onEdit,
  onClose,
}: {
  place: RefObject<HTMLElement | null>
  views: readonly SavedView[]
  /** The one that the list shows. */
  shownId: number | undefined
  /** All open conversations. */
  rows: readonly Conversation[]
  moment: ListMoment
  onShow: (id: number) => void
  onEdit: (view: SavedView) => void
  onClose: () => void
}) {
  const { id: userId } = useMe()
  const { find } = useSectors()
  const ordering = useOrderViews()
  const order = useOrder(views, (ids) => ordering.mutate(ids), 'ª')
  const onKeyDown = (event: KeyboardEvent, id: number) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    // In the list behind, the same keys open the conversation beside.
    event.stopPropagation()
    order.move(id, step)
  }
  const whose = ({ isShared, ownerId, ownerName, sectorId }: SavedView) =>
    !isShared ? 'só você' : (find(sectorId)?.name ?? (ownerId === userId ? 'todos' : `de ${ownerName}`))
  return (
    <PopoverContent
      place={place}
      isToggle
      label="Visões salvas"
      align="end"
      className={cn(
        'grid w-[min(320px,calc(100vw-16px))] p-1',
        'max-h-(--radix-popover-content-available-height) overflow-y-auto thin-scroll',
      )}
      onClose={onClose}
    >
      <ul aria-label="Visões salvas">
        {order.shown.map((id, index) => {
          const view = views.find((one) => one.id === id)
          if (!view) return null
          return (
            <li
              key={id}
              {...(views.length > 1 && order.rowProps(id, index))}
              className={cn(
                'group/view flex items-center gap-1 rounded-[7px] pl-1 hover:bg-hover',
                id === shownId && 'bg-selected',
                order.isDragged(id) && 'opacity-60',
              )}
            >
              <GripVertical
                aria-hidden
                size={14}
                className="flex-none cursor-grab text-ink-3 max-md:hidden"
              />
              <button
                type="button"
                aria-current={id === shownId || undefined}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                onClick={() => {
                  onClose()
                  onShow(id)
                }}
                onKeyDown={(event) => onKeyDown(event, id)}
                className={nameLook}
              >
                <span className="min-w-0 flex-1 truncate" title={view.name} dir="auto">
                  {view.name}
                </span>
                <span className="max-w-28 flex-none truncate text-xs text-ink-3">{whose(view)}</span>
                <span className="min-w-4 flex-none text-right text-xs font-medium tabular-nums">
                  {countView(rows, view.content, userId, moment)}
                </span>
              </button>
              <IconButton
                icon={Pencil}
                size="sm"
                label={`Editar visão: ${view.name}`}
                className={view.isChangeable ? 'max-md:size-11' : 'invisible'}
                onClick={() => {
                  onClose()
                  onEdit(view)
                }}
              />
            </li>
          )
        })}
      </ul>
      <p className="px-2 pt-1 pb-0.5 text-xs text-ink-3 max-md:hidden">
        Arraste para mudar a ordem, ou use Alt e as setas.
      </p>
      <p role="status" className="sr-only">
        {order.said}
      </p>
    </PopoverContent>
  )
}
