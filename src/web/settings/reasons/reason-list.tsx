import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { OrderedRow } from '#web/settings/ordered/ordered-row.tsx'
import { cn } from '#web/ui/cn.ts'
import { useOrder } from '#web/ui/use-order.ts'
import { useOrderReasons, useSwitchReason } from './queries.ts'

interface ListActs {
  onEdit: (reason: ManagedReason) => void
  onAdd: (parent: ManagedReason) => void
  onDelete: (reason: ManagedReason) => void
}

/**
 * The reasons of both levels, each level in an order that is changed by dragging and by key.
 * @param parent whose level it is; absent: the first one
 */
export function ReasonList({
  reasons,
  parent,
  ...acts
}: ListActs & { reasons: readonly ManagedReason[]; parent?: ManagedReason }) {
  const { areAny } = useSectors()
  const ordering = useOrderReasons()
  const switching = useSwitchReason()
  const parentId = parent?.id ?? null
  const level = reasons.filter((one) => one.parentId === parentId)
  const order = useOrder(level, (ids) => ordering.mutate({ parentId, ids }))
  const mayOrder = level.length > 1
  return (
    <>
      <ul aria-label={parent ? `Motivos de ${parent.name}` : 'Motivos'}>
        {order.shown.map((id, index) => {
          const reason = level.find((one) => one.id === id)
          if (!reason) return null
          const isAlone = !reasons.some((one) => one.parentId === id)
          return (
            <li
              key={id}
              {...(mayOrder && order.rowProps(id, index))}
              className={cn(
                'border-t border-line',
                !parent && 'first:border-t-0',
                order.isDragged(id) && 'opacity-60',
              )}
            >
              <OrderedRow
                name={reason.name}
                isWithin={parent !== undefined}
                off={reason.isSwitchedOn ? undefined : 'Inativo'}
                isOff={!reason.isActive}
                sectorId={areAny && !parent ? reason.sectorId : undefined}
                uses={reason.uses}
                acts={{
                  onEdit: () => acts.onEdit(reason),
                  add: parent ? undefined : { words: 'Novo motivo dentro', onAdd: () => acts.onAdd(reason) },
                  onSwitch: () => switching.mutate({ id, isActive: !reason.isSwitchedOn }),
                  onDelete: reason.uses === 0 && isAlone ? () => acts.onDelete(reason) : undefined,
                }}
                move={mayOrder ? (step) => order.move(id, step) : undefined}
              />
              {!isAlone && <ReasonList reasons={reasons} parent={reason} {...acts} />}
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
