import { UserPlus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Candidate } from '#shared/sectors/managed-sectors.ts'
import { fold } from '#shared/text/fold.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { Input } from '#web/ui/fields/input.tsx'
import { clampedStep, useListbox } from '#web/ui/fields/use-listbox.ts'

/** Finds somebody by a part of the name, and adds them; the field stays for the next one. */
export function AddPerson({
  candidates,
  onAdd,
}: {
  /** Who is not in the sector yet. */
  candidates: readonly Candidate[]
  onAdd: (userId: number) => void
}) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const words = fold(typed.trim())
  const found = candidates.filter(({ name }) => words === '' || fold(name).includes(words))
  const listbox = useListbox({
    count: found.length,
    scope: words,
    stepFor: (key, from, count) =>
      ({ ArrowDown: clampedStep(from, 1, count), ArrowUp: clampedStep(from, -1, count) })[key],
    onChoose: (index) => {
      const person = found[index]
      if (!person) return
      onAdd(person.userId)
      setTyped('')
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setOpen(false)
    } else if (event.key === 'Enter') {
      // Never the form around it.
      event.preventDefault()
      if (isOpen) listbox.chooseMarked()
    } else if (isOpen ? listbox.moveByKey(event.key) : event.key === 'ArrowDown') {
      event.preventDefault()
      setOpen(true)
    }
  }
  return (
    <div className="relative w-full" {...(isOpen && { 'data-takes-escape': true })}>
      <Input
        role="combobox"
        aria-label="Adicionar pessoa"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={listbox.list.id}
        aria-activedescendant={isOpen ? listbox.owner['aria-activedescendant'] : undefined}
        fieldSize="bar"
        value={typed}
        placeholder="Adicionar pessoa..."
        autoComplete="off"
        leading={<UserPlus size={14} aria-hidden className="text-ink-3" />}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          setOpen(true)
        }}
      />
      {isOpen && (
        <div
          {...listbox.list}
          aria-label="Pessoas"
          tabIndex={-1}
          className={[
            'absolute inset-x-0 top-full z-20 mt-1 max-h-60 thin-scroll overflow-y-auto',
            'rounded-card bg-surface p-1 text-sm shadow-float',
          ].join(' ')}
        >
          {found.map((person, index) => (
            <div
              key={person.userId}
              {...listbox.option(index)}
              onPointerMove={() => index !== listbox.marked && listbox.markOption(index)}
              className={cn(
                'flex min-h-9 cursor-pointer items-center gap-2 rounded-[7px] px-2 max-md:min-h-11',
                index === listbox.marked && 'bg-hover',
              )}
            >
              <Avatar name={person.name} src={person.pictureUrl} size={24} />
              <span className="min-w-0 truncate" dir="auto">
                {person.name}
              </span>
            </div>
          ))}
          {found.length === 0 && (
            <div
              role="option"
              tabIndex={-1}
              aria-selected={false}
              aria-disabled
              className="px-2 py-1.5 text-ink-2"
            >
              {candidates.length === 0 ? 'Todos já estão no setor' : 'Ninguém encontrado'}
            </div>
          )}
        </div>
      )}
    </div>
  )
}
