import { type DragEvent, useState } from 'react'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { cn } from '#web/ui/cn.ts'
import { useCan } from '#web/users/users.tsx'
import { useOrderTags, useSwitchTag } from './queries.ts'
import { TagRow } from './tag-row.tsx'

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
  const order = useOrderTags()
  const switching = useSwitchTag()
  const mayOrder = useCan('manageAllTags') && tags.length > 1
  const [said, setSaid] = useState('')
  const [dragged, setDragged] = useState<{ id: number; over: number }>()
  const ids = tags.map(({ id }) => id)
  const place = (id: number, to: number) => {
    const from = ids.indexOf(id)
    if (to < 0 || to >= ids.length || to === from) return
    order.mutate(ids.toSpliced(from, 1).toSpliced(to, 0, id))
    setSaid(`${tags[from]?.name}: ${to + 1}º de ${ids.length}`)
  }
  const shown = dragged
    ? ids.toSpliced(ids.indexOf(dragged.id), 1).toSpliced(dragged.over, 0, dragged.id)
    : ids
  const drag = (id: number, index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
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
    <>
      <ul aria-label="Etiquetas de conversas">
        {shown.map((id, index) => {
          const tag = tags.find((one) => one.id === id)
          if (!tag) return null
          return (
            <li
              key={id}
              {...(mayOrder && drag(id, index))}
              className={cn('border-t border-line first:border-t-0', dragged?.id === id && 'opacity-60')}
            >
              <TagRow
                tag={tag}
                showsSector={areAny}
                onEdit={() => onEdit(tag)}
                onSwitch={() => switching.mutate({ id, isActive: !tag.isActive })}
                onDelete={() => onDelete(tag)}
                move={mayOrder ? (step) => place(id, ids.indexOf(id) + step) : undefined}
              />
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}
