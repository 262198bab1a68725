import { useLayoutEffect, useRef } from 'react'
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
 * The text being written with formatting. It lies behind the field, its next sibling, which keeps the
 * cursor and hides its own letters while there is something to format.
 */
export function FormattedText({ text }: { text: string }) {
  const runs = text.length > mostFormatted ? [] : sourceRuns(text)
  return runs.some(({ styles }) => styles.length > 0) ? <Layer runs={runs} /> : null
}

function Layer({ runs }: { runs: readonly Run[] }) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const behind = layer.current
    const field = behind?.nextElementSibling
    if (!behind || !field) return
    const follow = () => {
      // Without the scroll bar.
      behind.style.width = `${field.clientWidth}px`
      behind.scrollTop = field.scrollTop
    }
    follow()
    field.addEventListener('scroll', follow)
    const observer = new ResizeObserver(follow)
    observer.observe(field)
    return () => {
      field.removeEventListener('scroll', follow)
      observer.disconnect()
    }
  }, [runs])
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
