import { type DragEvent, useState } from 'react'

interface Order {
  /** The ids as they are shown, also while one is dragged. */
  shown: readonly number[]
  /** For the row of an id, which can then be dragged. */
  rowProps: (id: number, index: number) => object
  isDragged: (id: number) => boolean
  /** Moves one up (-1) or down (1). */
  move: (id: number, step: -1 | 1) => void
  /** What a reader says of the last change. */
  said: string
}

/** The order of a list, which is changed by dragging and by key. `ordinal` agrees with what the rows are. */
export function useOrder(
  rows: readonly { id: number; name: string }[],
  onChange: (ids: number[]) => void,
  ordinal: 'º' | 'ª' = 'º',
): Order {
  const [dragged, setDragged] = useState<{ id: number; over: number }>()
  const [said, setSaid] = useState('')
  const ids = rows.map(({ id }) => id)
  const place = (id: number, to: number) => {
    const from = ids.indexOf(id)
    if (to < 0 || to >= ids.length || to === from) return
    onChange(ids.toSpliced(from, 1).toSpliced(to, 0, id))
    setSaid(`${rows[from]?.name}: ${to + 1}${ordinal} de ${ids.length}`)
  }
  return {
    shown: dragged ? ids.toSpliced(ids.indexOf(dragged.id), 1).toSpliced(dragged.over, 0, dragged.id) : ids,
    rowProps: (id, index) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        // Not also the row that it is within.
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
        event.preventDefault()
        if (dragged) place(dragged.id, dragged.over)
        setDragged(undefined)
      },
      onDragEnd: () => setDragged(undefined),
    }),
    isDragged: (id) => dragged?.id === id,
    move: (id, step) => place(id, ids.indexOf(id) + step),
    said,
  }
}
