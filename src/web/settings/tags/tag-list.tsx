import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { OrderedRow } from '#web/settings/ordered/ordered-row.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { cn } from '#web/ui/cn.ts'
import { useOrder } from '#web/ui/use-order.ts'
import { useCan } from '#web/users/users.tsx'
import { useOrderTags, useSwitchTag } from './queries.ts'

/** The tags, in an order that whoever manages all of them changes by dragging and by key. */
export function TagList({
  tags,
  onEdit,
  onDelete,
}: {
  tags: readonly ManagedTag[]
  onEdit: (tag: ManagedTag) => void
  onDelete: (tag: ManagedTag) => void
}) {
  const { areAny } = useSectors()
  const ordering = useOrderTags()
  const switching = useSwitchTag()
  const mayOrder = useCan('manageAllTags') && tags.length > 1
  const order = useOrder(tags, (ids) => ordering.mutate(ids))
  return (
    <>
      <ul aria-label="Etiquetas de conversas">
        {order.shown.map((id, index) => {
          const tag = tags.find((one) => one.id === id)
          if (!tag) return null
          return (
            <li
              key={id}
              {...(mayOrder && order.rowProps(id, index))}
              className={cn('border-t border-line first:border-t-0', order.isDragged(id) && 'opacity-60')}
            >
              <OrderedRow
                name={tag.name}
                mark={
                  <CategoryBadge color={tag.color} className="shrink">
                    {tag.name}
                  </CategoryBadge>
                }
                off={tag.isActive ? undefined : 'Inativa'}
                isOff={!tag.isActive}
                sectorId={areAny ? tag.sectorId : undefined}
                uses={tag.uses}
                acts={
                  tag.isChangeable
                    ? {
                        onEdit: () => onEdit(tag),
                        onSwitch: () => switching.mutate({ id, isActive: !tag.isActive }),
                        onDelete: tag.uses === 0 ? () => onDelete(tag) : undefined,
                      }
                    : undefined
                }
                move={mayOrder ? (step) => order.move(id, step) : undefined}
              />
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {order.said}
      </p>
    </>
  )
}
