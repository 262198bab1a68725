import { autoUpdate, computePosition, flip, offset, type Placement, shift } from '@floating-ui/dom'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

/** The text of one element, above everything else in the page and inside the window. */
export function TooltipBubble({ anchor }: { anchor: HTMLElement }) {
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = bubble.current
    if (!element) return
    element.showPopover()
    return autoUpdate(anchor, element, () => {
      element.hidden = !anchor.isConnected
      void place(anchor, element)
    })
  }, [anchor])
  return createPortal(
    <div
      ref={bubble}
      role="tooltip"
      aria-hidden
      popover="manual"
      className={[
        'animate-fade fixed inset-auto m-0 max-w-80 rounded-[6px] border-0 bg-ink px-2 py-[5px]',
        'text-xs text-ink-inverse',
      ].join(' ')}
    >
      {anchor.dataset['tooltip']}
    </div>,
    document.body,
  )
}

async function place(anchor: HTMLElement, element: HTMLElement): Promise<void> {
  const { x, y } = await computePosition(anchor, element, {
    strategy: 'fixed',
    placement: (anchor.dataset['tooltipSide'] ?? 'top') as Placement,
    middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 })],
  })
  Object.assign(element.style, { left: `${x}px`, top: `${y}px` })
}
