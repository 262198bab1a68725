import { Plus } from 'lucide-react'
import { useRef, useState, type SyntheticEvent } from 'react'
import { type Contact, contactLimits } from '#shared/contacts/contacts.ts'
import { useSaveContact } from '#web/contacts/save-contact.ts'
import { isSameTag, TagChips } from '#web/contacts/tag-chips.tsx'
import { toastNotSaved } from '#web/contacts/toast-saved.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

/** Adds and removes tags one at a time, so that two people doing so at once both succeed. */
export function ContactTags({ contact }: { contact: Contact }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useSaveContact(contact.id)
  const { tags } = contact
  const isFull = tags.length >= contactLimits.tags

  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    const tag = text.trim()
    if (tag === '' || isPending) return
    if (tags.some((known) => isSameTag(known, tag))) return setText('')
    mutate((now) => ({ tags: [...now.tags.filter((known) => !isSameTag(known, tag)), tag] }), {
      // The next one may have been typed meanwhile.
      onSuccess: () => setText((typed) => (typed.trim() === tag ? '' : typed)),
      onError: toastNotSaved,
    })
  }
  const remove = (tag: string) => {
    mutate((now) => ({ tags: now.tags.filter((known) => known !== tag) }), { onError: toastNotSaved })
    // The focused button disappears with its tag.
    field.current?.focus()
  }
  return (
    <div className="grid gap-2">
      {tags.length === 0 ? (
        <p className="text-sm text-ink-3">Nenhuma etiqueta</p>
      ) : (
        <TagChips tags={tags} onRemove={remove} className="flex flex-wrap gap-1.5" />
      )}
      <form onSubmit={add} className="flex items-center gap-1">
        <input
          ref={field}
          aria-label="Nova etiqueta"
          placeholder={isFull ? `No máximo ${contactLimits.tags} etiquetas` : 'Nova etiqueta'}
          disabled={isFull}
          value={text}
          maxLength={contactLimits.tag}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          className={`${fieldLook('bar')} px-2`}
        />
        <IconButton
          label="Adicionar etiqueta"
          icon={Plus}
          type="submit"
          isBusy={isPending}
          disabled={text.trim() === ''}
          tooltipSide="bottom"
        />
      </form>
    </div>
  )
}
