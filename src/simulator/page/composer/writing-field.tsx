import type { KeyboardEvent, RefObject } from 'react'
import { cn } from '#web/ui/cn.ts'

/** Grows up to five lines. Enter sends, Shift+Enter breaks the line. */
export function WritingField({
  fieldRef,
  text,
  onChange,
  onLeave,
  onEnter,
  onEscape,
}: {
  fieldRef: RefObject<HTMLTextAreaElement | null>
  text: string
  onChange: (text: string) => void
  onLeave: () => void
  onEnter: () => void
  onEscape: (() => void) | undefined
}) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onEscape?.()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter()
  }
  return (
    <textarea
      ref={fieldRef}
      rows={1}
      dir="auto"
      aria-label="Mensagem"
      placeholder="Mensagem"
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onLeave}
      onKeyDown={onKeyDown}
      className={cn(
        'thin-scroll field-sizing-content max-h-[100px] min-h-8 min-w-0 flex-1 resize-none',
        'rounded-[16px] border border-field bg-surface px-3 py-1.5 text-sm -outline-offset-1',
      )}
    />
  )
}
