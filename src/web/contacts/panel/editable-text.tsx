import { Check, Pencil, X } from 'lucide-react'
import { useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import type { Contact } from '#shared/contacts/contacts.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { ContactConflict, useSaveContact } from '#web/contacts/save-contact.ts'
import { toastNotSaved, toastSaved } from '#web/contacts/toast-saved.ts'

type TextField = 'name' | 'email' | 'phone'

/** One field of a contact, edited in place. A colleague's change made meanwhile is shown, not lost. */
export function EditableText({
  contact,
  field,
  label,
  maxLength,
  placeholder,
  children,
}: {
  contact: Contact
  field: TextField
  /** 'Email' */
  label: string
  maxLength: number
  placeholder?: string
  /** The field while not being edited, with its other actions. */
  children: ReactNode
}) {
  const [isEditing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const end = () => {
    setEditing(false)
    // Returns the focus to the button.
    requestAnimationFrame(() => pencil.current?.focus())
  }
  if (isEditing)
    return (
      <Editor
        contact={contact}
        field={field}
        label={label}
        maxLength={maxLength}
        placeholder={placeholder}
        onEnd={end}
      />
    )
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      {children}
      <IconButton
        ref={pencil}
        label={`Editar ${label.toLocaleLowerCase('pt-BR')}`}
        icon={Pencil}
        size="sm"
        className="size-6 [&_svg]:size-3.5"
        onClick={() => setEditing(true)}
      />
    </span>
  )
}

function Editor({
  contact,
  field,
  label,
  maxLength,
  placeholder,
  onEnd,
}: {
  contact: Contact
  field: TextField
  label: string
  maxLength: number
  placeholder: string | undefined
  onEnd: () => void
}) {
  const noteId = useId()
  const now = contact[field] ?? ''
  /** The value the user last saw. */
  const [base, setBase] = useState(now)
  const [text, setText] = useState(now)
  const [refusal, setRefusal] = useState<string>()
  const { mutate, isPending } = useSaveContact(contact.id)
  const isOvertaken = now !== base && now !== text
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isPending) return
    if (text === now) return onEnd()
    // The version shown beside the field has been seen.
    setBase(now)
    mutate((found) => ((found[field] ?? '') === now ? { [field]: text } : undefined), {
      onSuccess: () => {
        toastSaved()
        onEnd()
      },
      onError: (error) => {
        if (error instanceof ContactConflict) return setBase(base)
        if (error instanceof ApiError && error.status < 500) setRefusal(error.fields[field] ?? error.message)
        toastNotSaved(error)
      },
    })
  }
  const note = refusal ?? (isOvertaken ? `Um colega mudou para “${now || '--'}”.` : undefined)
  return (
    <form data-takes-escape onSubmit={save} className="grid w-full min-w-0 gap-1 text-left">
      <span className="flex min-w-0 items-center gap-0.5">
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened the field
          autoFocus
          aria-label={label}
          aria-describedby={note ? noteId : undefined}
          aria-invalid={refusal ? true : undefined}
          value={text}
          maxLength={maxLength}
          placeholder={placeholder}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setRefusal(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // The key must not reach the panel or the composer.
            event.preventDefault()
            event.stopPropagation()
            onEnd()
          }}
          className={`${fieldLook('bar')} px-2`}
        />
        <IconButton
          label="Salvar"
          icon={Check}
          size="sm"
          type="submit"
          isBusy={isPending}
          tooltipSide="bottom"
        />
        <IconButton label="Cancelar" icon={X} size="sm" onClick={onEnd} tooltipSide="bottom" />
      </span>
      {note && (
        <span id={noteId} role="alert" className={`text-xs ${refusal ? 'text-red-text' : 'text-amber-text'}`}>
          {note}
        </span>
      )}
      {!refusal && isOvertaken && (
        <Button size="sm" className="justify-self-start" onClick={onEnd}>
          Ficar com o do colega
        </Button>
      )}
    </form>
  )
}
