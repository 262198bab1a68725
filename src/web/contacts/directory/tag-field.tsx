import { type KeyboardEvent, useRef, useState } from 'react'
import { contactLimits } from '#shared/contacts/contacts.ts'
import { isSameTag, TagChips } from '#web/contacts/tag-chips.tsx'
import type { FieldControl } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { cn } from '#web/ui/cn.ts'

/** Tags as chips in a field: Enter or a comma adds what is typed, Backspace takes the last one away. */
export function TagField({
  tags,
  onChange,
  ...control
}: FieldControl & { tags: readonly string[]; onChange: (tags: string[]) => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isFull = tags.length >= contactLimits.tags
  const add = () => {
    const tag = text.trim()
    setText('')
    if (tag !== '' && !isFull && !tags.some((known) => isSameTag(known, tag))) onChange([...tags, tag])
  }
  const remove = (tag: string) => {
    onChange(tags.filter((known) => known !== tag))
    // The focused button disappears with its tag.
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if ((event.key === 'Enter' && text.trim() !== '') || event.key === ',') {
      event.preventDefault()
      add()
    }
    const last = tags.at(-1)
    if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last)
  }
  return (
    <div
      className={cn(
        fieldLook('lines'),
        'flex flex-wrap items-center gap-1.5 px-1.5 py-1.5',
        'focus-within:outline-2 focus-within:outline-focus',
      )}
    >
      {tags.length > 0 && <TagChips tags={tags} onRemove={remove} className="contents" />}
      <input
        {...control}
        ref={field}
        value={text}
        maxLength={contactLimits.tag}
        disabled={isFull}
        placeholder={isFull ? `No máximo ${contactLimits.tags}` : tags.length === 0 ? 'Enter adiciona' : ''}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        // What was typed and not confirmed is meant, too.
        onBlur={add}
        className="h-6 min-w-24 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-ink-3"
      />
    </div>
  )
}
