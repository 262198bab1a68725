import { type DragEvent, useState } from 'react'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { cn } from '#web/ui/cn.ts'
import { useOrderReasons, useSwitchReason } from './queries.ts'
import { ReasonRow } from './reason-row.tsx'

export interface ListActs {
  onEdit: (reason: ManagedReason) => void
  onAdd: (parent: ManagedReason) => void
  onDelete: (reason: ManagedReason) => void
}

/** The reasons of both levels, each level in an order that is changed by dragging and by key. */
export function ReasonList({ reasons, ...acts }: ListActs & { reasons: readonly ManagedReason[] }) {
  const [said, setSaid] = useState('')
  return (
    <>
      <Level reasons={reasons} parent={undefined} acts={acts} onSaid={setSaid} />
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

function Level({
  reasons,
  parent,
  acts,
  onSaid,
}: {
  reasons: readonly ManagedReason[]
  parent: ManagedReason | undefined
  acts: ListActs
  onSaid: (text: string) => void
}) {
  const { areAny } = useSectors()
  const order = useOrderReasons()
  const switching = useSwitchReason()
  const [dragged, setDragged] = useState<{ id: number; over: number }>()
  const level = reasons.filter(({ parentId }) => parentId === (parent?.id ?? null))
  const ids = level.map(({ id }) => id)
  const place = (id: number, to: number) => {
    const from = ids.indexOf(id)
    if (to < 0 || to >= ids.length || to === from) return
    order.mutate({ parentId: parent?.id ?? null, ids: ids.toSpliced(from, 1).toSpliced(to, 0, id) })
    onSaid(`${level[from]?.name}: ${to + 1}º de ${ids.length}`)
  }
  const shown = dragged
    ? ids.toSpliced(ids.indexOf(dragged.id), 1).toSpliced(dragged.over, 0, dragged.id)
    : ids
  const drag = (id: number, index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.stopPropagation()
      event.dataTransfer.effectAllowed = 'move'
      setDragged({ id, over: index })
    },
    onDragOver: (event: DragEvent) => {
      if (!dragged) return
      event.preventDefault()
      if (dragged.over !== index) setDragged({ ...dragged, over: index })
    },
    onDrop: (event: DragEvent) => {
      if (!dragged) return
      event.preventDefault()
      place(dragged.id, dragged.over)
      setDragged(undefined)
    },
    onDragEnd: () => setDragged(undefined),
  })
  return (
    <ul aria-label={parent ? `Motivos de ${parent.name}` : 'Motivos'}>
      {shown.map((id, index) => {
        const reason = level.find((one) => one.id === id)
        if (!reason) return null
        const within = reasons.filter((one) => one.parentId === id)
        const isFree = reason.uses === 0 && within.length === 0
        return (
          <li
            key={id}
            {...(ids.length > 1 && drag(id, index))}
            className={cn(
              'border-t border-line',
              !parent && 'first:border-t-0',
              dragged?.id === id && 'opacity-60',
            )}
          >
            <ReasonRow
              reason={reason}
              showsSector={areAny && !parent}
              acts={{
                onEdit: () => acts.onEdit(reason),
                onAdd: parent ? undefined : () => acts.onAdd(reason),
                onSwitch: (isActive) => switching.mutate({ id, isActive }),
                onDelete: isFree ? () => acts.onDelete(reason) : undefined,
                move: ids.length > 1 ? (step) => place(id, ids.indexOf(id) + step) : undefined,
              }}
            />
            {within.length > 0 && <Level reasons={reasons} parent={reason} acts={acts} onSaid={onSaid} />}
          </li>
        )
      })}
    </ul>
  )
}
