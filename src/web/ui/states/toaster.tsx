import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { dismissToast, toastStore, type ShownToast } from './toast.ts'

const durationMs = 3000
const durationWithActionMs = 5000
const swipeThresholdPx = 50
/** A shorter movement is a click. */
const swipeStartPx = 5

const icons = {
  success: <CircleCheck size={16} aria-hidden className="mt-px text-green" />,
  error: <CircleAlert size={16} aria-hidden className="mt-px text-red" />,
  info: <Info size={16} aria-hidden className="mt-px text-blue" />,
}

const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()

/**
 * Where notifications appear: one at a time, top right. F8 moves the focus there. It is no layer above the
 * dialogs: Escape belongs to the dialog unless the notification has the focus.
 */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  const isUrgent = shown?.tone === 'error'
  const card = shown && <ToastCard key={shown.id} toast={shown} />
  return (
    <section
      aria-label="Notificações (F8)"
      className="fixed top-3 right-3 z-[60] w-[calc(100vw-24px)] max-w-[420px] print:hidden"
    >
      {/* A dialog or menu would take a press or the focus here as one outside of it, and close. */}
      <div onPointerDown={stop} onFocus={stop}>
        {/* In the document before its text, or a screen reader may not announce it. */}
        <div role="status" aria-live="polite">
          {!isUrgent && card}
        </div>
        {isUrgent && (
          <div role="alert" aria-live="assertive">
            {card}
          </div>
        )}
      </div>
    </section>
  )
}

/** Stays while it is pointed at, has the focus, or the window is in the background. */
function ToastCard({ toast }: { toast: ShownToast }) {
  const { id, title, description, tone = 'success', action } = toast
  const box = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const [isInBackground, setIsInBackground] = useState(false)
  const { swipedPx, ...swipe } = useSwipe(() => dismissToast(id))

  /** Closed by its user: the focus returns to where it was before F8. */
  const close = () => {
    if (isFocused && cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
    dismissToast(id)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'F8') box.current?.focus()
    if (event.key !== 'Escape' || !isFocused) return
    event.preventDefault()
    close()
  })
  useEffect(() => {
    const onBlur = () => setIsInBackground(true)
    const onFocus = () => setIsInBackground(false)
    document.addEventListener('keydown', onKey)
    window.addEventListener('blur', onBlur)
    window.addEventListener('focus', onFocus)
    return () => {
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('blur', onBlur)
      window.removeEventListener('focus', onFocus)
    }
  }, [])

  const [isTooLate, setIsTooLate] = useState(false)
  const offeredMs = action?.forMs
  useEffect(() => {
    if (offeredMs === undefined) return
    const timer = setTimeout(() => setIsTooLate(true), offeredMs)
    return () => clearTimeout(timer)
  }, [offeredMs])

  const isHeld = isPointedAt || isFocused || isInBackground || swipedPx > 0
  const shownMs = action ? durationWithActionMs : durationMs
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, shownMs])

  return (
    <ol>
      <li>
        <div
          ref={box}
          tabIndex={-1}
          {...swipe}
          style={{ translate: `${swipedPx}px` }}
          // Not for a pointer at rest under it: whoever presses a button below waits for its end.
          onPointerMoveCapture={() => setIsPointedAt(true)}
          onPointerLeave={() => setIsPointedAt(false)}
          onFocus={({ relatedTarget }) => {
            if (!isFocused) cameFrom.current = relatedTarget
            setIsFocused(true)
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setIsFocused(false)
          }}
          className={[
            'animate-toast pointer-events-auto flex touch-pan-y items-start gap-2.5 rounded-card bg-surface',
            'py-3 pr-2 pl-3.5 text-sm shadow-float select-none',
          ].join(' ')}
        >
          {icons[tone]}
          <div className="min-w-0 flex-1 wrap-anywhere">
            <p className="font-semibold">{title}</p>
            {description && <p className="text-ink-2">{description}</p>}
          </div>
          {action && !isTooLate && (
            <Button
              variant="link"
              size="sm"
              className="-my-1"
              onClick={() => {
                action.onClick()
                close()
              }}
            >
              {action.label}
            </Button>
          )}
          <button
            type="button"
            aria-label="Fechar"
            onClick={close}
            className={[
              '-my-1 inline-grid size-7 shrink-0 place-items-center',
              'rounded-control text-ink-2 hover:bg-hover hover:text-ink',
            ].join(' ')}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
      </li>
    </ol>
  )
}

/** Follows a pointer that pushes to the right. @param onSwiped when it let go beyond the threshold */
function useSwipe(onSwiped: () => void) {
  const startX = useRef<number>(undefined)
  const [swipedPx, setSwipedPx] = useState(0)
  const end = () => {
    startX.current = undefined
    setSwipedPx(0)
  }
  return {
    swipedPx,
    onPointerDown({ clientX, button }: PointerEvent) {
      if (button === 0) startX.current = clientX
    },
    onPointerMove({ buttons, clientX, currentTarget, pointerId }: PointerEvent) {
      if (startX.current === undefined || buttons === 0) return
      const byPx = Math.max(0, clientX - startX.current)
      if (byPx < swipeStartPx && swipedPx === 0) return
      // From here on it is no click on what lies under it.
      currentTarget.setPointerCapture(pointerId)
      setSwipedPx(byPx)
    },
    onPointerUp({ clientX }: PointerEvent) {
      // The last move may not have been rendered yet.
      if (startX.current !== undefined && clientX - startX.current >= swipeThresholdPx) onSwiped()
      end()
    },
    onPointerCancel: end,
  }
}
