import { type ComponentType, useEffect, useState } from 'react'

const showAfterMs = 700
/** Within this time after one tooltip the next one is shown at once. */
const readyForMs = 300

const loadBubble = async () => (await import('./tooltip-bubble.tsx')).TooltipBubble

/** Shows the tooltips of the page: one at a time, of elements with the attributes of `tooltip`. */
export function TooltipHost() {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [Bubble, setBubble] = useState<ComponentType<{ anchor: HTMLElement }>>()
  useEffect(() => {
    // Without a connection there is no tooltip, and the next hover tries again.
    const prepare = () =>
      void loadBubble().then(
        (loaded) => setBubble(() => loaded),
        () => undefined,
      )
    return watchAnchors(setAnchor, prepare)
  }, [])
  return anchor && Bubble ? <Bubble anchor={anchor} /> : null
}

/** @param onAim is called when a tooltip will be shown soon */
function watchAnchors(show: (anchor: HTMLElement | undefined) => void, onAim: () => void): () => void {
  let timer = 0
  let aimedAt: HTMLElement | undefined
  let isShown = false
  /** Whether the last input was a press of the pointer: a focus that follows it shows nothing. */
  let isByPointer = false
  let hiddenAtMs = -Infinity

  const hide = () => {
    clearTimeout(timer)
    if (isShown) hiddenAtMs = performance.now()
    isShown = false
    show(undefined)
  }
  const aim = (element: HTMLElement | undefined, isAtOnce: boolean) => {
    if (element === aimedAt) return
    hide()
    aimedAt = element
    if (!element) return
    onAim()
    const delayMs = isAtOnce || performance.now() - hiddenAtMs < readyForMs ? 0 : showAfterMs
    timer = window.setTimeout(() => {
      if (!element.isConnected) return
      isShown = true
      show(element)
    }, delayMs)
  }

  const stop = new AbortController()
  const on = <Type extends keyof DocumentEventMap>(
    type: Type,
    handle: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, handle, { signal: stop.signal, capture: true, passive: true })
  on('pointerover', ({ target, pointerType }) => {
    // A pointer may rest on the tooltip itself, for example to read it enlarged.
    if (pointerType === 'touch' || (target instanceof Element && target.closest('[role=tooltip]'))) return
    aim(anchorOf(target), false)
  })
  on('focusin', ({ target }) => {
    const element = anchorOf(target)
    if (!isByPointer && element?.matches(':focus-visible')) aim(element, true)
  })
  on('focusout', () => aim(undefined, false))
  // Hidden until the pointer has left: what was to be read has been read.
  on('pointerdown', () => {
    isByPointer = true
    hide()
  })
  on('keydown', ({ key }) => {
    isByPointer = false
    if (key === 'Escape' || key === 'Enter') hide()
  })
  on('scroll', hide)
  document.documentElement.addEventListener('pointerleave', () => aim(undefined, false), {
    signal: stop.signal,
  })
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

function anchorOf(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('[data-tooltip]')) || undefined
}
