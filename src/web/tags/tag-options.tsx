import { Check, Minus, SearchX } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { fold } from '#shared/text/fold.ts'
import type { Tag } from '#shared/tags/tags.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'

/** Of several conversations some may have a tag. */
export type TagState = 'all' | 'some' | 'none'

const badgeLook = 'badge-cat min-w-0 truncate rounded-tag border px-[7px] text-xs leading-5 font-medium'

/** Tags of which any number are chosen: by click, or in the field by the arrows and Enter. */
export function TagOptions({
  tags,
  stateOf,
  ask = '',
  error,
  takesFocus = false,
  onToggle,
}: {
  tags: readonly Tag[]
  stateOf: (id: number) => TagState
  /** Behind the label: 'obrigatória no Comercial'. */
  ask?: string
  error?: string | undefined
  takesFocus?: boolean
  onToggle: (id: number) => void
}) {
  const listId = useId()
  const field = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(-1)
  const hasKeys = useMediaQuery('(pointer: fine)')
  const words = fold(typed.trim())
  const found = words === '' ? tags : tags.filter(({ name }) => fold(name).includes(words))
  const active = found[Math.min(at, found.length - 1)]
  const optionId = (id: number) => `${listId}-${id}`
  useEffect(() => {
    // On a telephone its keyboard would cover what is to be chosen.
    if ((takesFocus && hasKeys) || error !== undefined) field.current?.querySelector('input')?.focus()
  }, [takesFocus, hasKeys, error])
  const move = (to: number) => {
    setAt(to)
    list.current
      ?.querySelector(`[id="${optionId(found[to]?.id ?? 0)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1 < found.length ? at + 1 : 0),
      ArrowUp: () => move(at > 0 ? at - 1 : found.length - 1),
      Enter: () => {
        const chosen = active ?? (words === '' ? undefined : found[0])
        if (chosen) onToggle(chosen.id)
      },
      ...(typed !== '' && { Escape: () => setTyped('') }),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <div ref={field}>
      <Field
        label={
          <>
            Etiquetas <span className="font-normal text-ink-3">{ask}</span>
          </>
        }
        error={error}
      >
        {(control) => (
          <SearchField
            {...control}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active && optionId(active.id)}
            {...(typed !== '' && { 'data-takes-escape': true })}
            value={typed}
            onChange={(next) => {
              setTyped(next)
              setAt(-1)
            }}
            onKeyDown={onKeyDown}
            placeholder="Buscar etiqueta"
          />
        )}
      </Field>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-multiselectable
        aria-label="Etiquetas"
        className="thin-scroll mt-2 max-h-60 min-h-0 overflow-y-auto"
      >
        {found.map(({ id, name, color, isActive }) => {
          const state = stateOf(id)
          return (
            <div
              key={id}
              id={optionId(id)}
              role="option"
              tabIndex={-1}
              aria-selected={state === 'all'}
              onClick={() => onToggle(id)}
              // The field has the keys; the focus stays there.
              onKeyDown={() => undefined}
              onMouseDown={(event) => event.preventDefault()}
              className={cn(
                'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2 text-sm',
                'hover:bg-hover max-md:min-h-11',
                id === active?.id && 'bg-hover',
              )}
            >
              <span
                className={cn(
                  'grid size-4 flex-none place-items-center rounded-[4px] border',
                  state === 'none' ? 'border-field' : 'border-transparent bg-accent text-accent-ink',
                )}
              >
                {state === 'all' && <Check size={12} aria-hidden />}
                {state === 'some' && <Minus size={12} aria-hidden />}
              </span>
              <span style={{ '--cat': color } as CSSProperties} title={name} dir="auto" className={badgeLook}>
                {name}
              </span>
              {state === 'some' && <span className="flex-none text-xs text-ink-3">em algumas</span>}
              {!isActive && <span className="flex-none text-xs text-ink-3">inativa</span>}
            </div>
          )
        })}
        {found.length === 0 && (
          <EmptyState
            icon={SearchX}
            title={
              tags.length === 0
                ? 'Nenhuma etiqueta para pôr'
                : `Nenhuma etiqueta com “${typed.trim().slice(0, 40)}”`
            }
            description="Etiquetas novas são de quem administra, em Configurações."
          />
        )}
      </div>
    </div>
  )
}
