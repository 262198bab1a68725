import { Plus, X } from 'lucide-react'
import { useRef, useState, type SyntheticEvent } from 'react'
import { type Contact, contactLimits } from '#shared/contacts.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { useSaveContact } from '#web/contacts/save-contact.ts'
import { toastNotSaved } from '#web/contacts/toast-saved.ts'

function same(one: string, other: string) {
  return one.toLocaleLowerCase('pt-BR') === other.toLocaleLowerCase('pt-BR')
}

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
    if (tags.some((known) => same(known, tag))) return setText('')
    mutate((now) => ({ tags: [...now.tags.filter((known) => !same(known, tag)), tag] }), {
      onSuccess: () => setText(''),
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
        <ul aria-label="Etiquetas" className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li
              key={tag}
              className={[
                'inline-flex h-6 max-w-full min-w-0 items-center rounded-tag border',
                'border-line bg-sunken pl-[7px] text-xs font-medium text-ink-2',
              ].join(' ')}
            >
              <span className="min-w-0 truncate" title={tag} dir="auto">
                {tag}
              </span>
              <button
                type="button"
                aria-label={`Remover etiqueta ${tag}`}
                onClick={() => remove(tag)}
                className="grid size-6 flex-none place-items-center rounded-tag hover:bg-hover hover:text-ink"
              >
                <X aria-hidden size={12} />
              </button>
            </li>
          ))}
        </ul>
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
