import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Run, sourceRuns, type Style } from '#web/ui/rich-text/source-runs.ts'

/** In characters: a longer text is shown as it was typed, which takes no time at every key. */
const mostFormatted = 5000

/** No style changes the width of a letter: those of the field, above, must stand on these. */
const looks: Record<Style, string> = {
  bold: '[-webkit-text-stroke:0.6px_currentColor]',
  italic: 'italic',
  strike: 'line-through',
  code: 'rounded-[4px] bg-ink/8',
  sign: 'text-ink-3',
}

/**
 * The text being written with WhatsApp's formatting. It lies behind the field, which keeps the cursor and
 * hides its own letters while there is something to format.
 */
export function FormattedText({
  text,
  field,
}: {
  text: string
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const runs = text.length > mostFormatted ? [] : sourceRuns(text)
  return runs.some(({ styles }) => styles.length > 0) ? <Layer runs={runs} field={field} /> : null
}

function Layer({ runs, field }: { runs: readonly Run[]; field: RefObject<HTMLTextAreaElement | null> }) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const above = field.current
    if (!above) return
    const follow = () => {
      if (!layer.current) return
      // Without the scroll bar.
      layer.current.style.width = `${above.clientWidth}px`
      layer.current.scrollTop = above.scrollTop
    }
    follow()
    above.addEventListener('scroll', follow)
    const observer = new ResizeObserver(follow)
    observer.observe(above)
    return () => {
      above.removeEventListener('scroll', follow)
      observer.disconnect()
    }
  }, [field, runs])
  return (
    <div
      ref={layer}
      aria-hidden
      dir="auto"
      className={[
        'peer pointer-events-none absolute inset-y-0 left-0 overflow-hidden px-2 py-1.5 text-base',
        'wrap-break-word whitespace-pre-wrap text-ink [unicode-bidi:plaintext] forced-colors:hidden',
      ].join(' ')}
    >
      {runs.map((run, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the runs of one text never move
        <span key={index} className={run.styles.map((style) => looks[style]).join(' ')}>
          {run.text}
        </span>
      ))}
      {/* As in the field, a line break at the end begins a line. */}
      {'\u200B'}
    </div>
  )
}
