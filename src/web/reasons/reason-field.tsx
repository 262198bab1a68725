import { Check, SearchX } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { LastReason } from '#shared/reasons/conversation-reason.ts'
import type { Reason } from '#shared/reasons/reasons.ts'
import { shortDate } from '#web/platform/dates.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { findReasons, markOf, offeredReason, type OfferedReason } from './find-reasons.ts'

interface Row extends OfferedReason {
  /** When the contact's conversation ended with it. */
  note?: string
}

/** So many have a key. */
const mostKeys = 9

/**
 * The choice of a reason: the last ones of the contact first, the others in their order. The figures choose
 * as long as nothing is typed; the arrows move, Enter chooses. What is chosen can be chosen off again.
 */
export function ReasonField({
  all,
  choices,
  last = [],
  title,
  ask,
  value,
  error,
  takesFocus = false,
  onChange,
}: {
  all: readonly Reason[]
  choices: readonly Reason[]
  last?: readonly LastReason[]
  /** Above those that are not the last ones. */
  title: string
  /** Behind the label: 'obrigatório no Comercial'. */
  ask: string
  value: number | undefined
  error?: string | undefined
  /** Takes the focus of the dialog, unless something is being written. */
  takesFocus?: boolean
  onChange: (id: number | undefined) => void
}) {
  const listId = useId()
  const field = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(-1)
  const isSearching = typed.trim() !== ''
  const hasKeys = useMediaQuery('(pointer: fine)')
  const groups = isSearching
    ? [{ title: '', rows: found(all, choices, typed) }]
    : groupsOf(all, choices, last, title)
  const rows = groups.flatMap((group) => group.rows)
  const active = rows[Math.min(at, rows.length - 1)]
  const choose = (id: number) => onChange(id === value ? undefined : id)
  const optionId = (id: number) => `${listId}-${id}`
  useEffect(() => {
    const written = document.activeElement
    const isWriting = written instanceof HTMLTextAreaElement && written.value !== ''
    // On a telephone its keyboard would cover what is to be chosen.
    if (takesFocus && hasKeys && !isWriting) field.current?.querySelector('input')?.focus()
  }, [takesFocus, hasKeys])
  useEffect(() => {
    if (error !== undefined) field.current?.querySelector('input')?.focus()
  }, [error])
  const inSight = (id: number | undefined) =>
    list.current
      ?.querySelector(`[id="${id === undefined ? '' : optionId(id)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  const move = (to: number) => {
    setAt(to)
    inSight(rows[to]?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1 < rows.length ? at + 1 : 0),
      ArrowUp: () => move(at > 0 ? at - 1 : rows.length - 1),
      Enter: () => {
        const chosen = active ?? (isSearching ? rows[0] : undefined)
        if (chosen) choose(chosen.id)
      },
      ...(isSearching && { Escape: () => search('') }),
    }
    const act = acts[event.key] ?? (typed === '' ? keyed(event.key) : undefined)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const keyed = (key: string) => {
    const row = /^[1-9]$/.test(key) ? rows[Number(key) - 1] : undefined
    if (!row) return undefined
    return () => {
      choose(row.id)
      inSight(row.id)
    }
  }
  const search = (next: string) => {
    setTyped(next)
    setAt(-1)
  }
  const keyOf = new Map(isSearching ? [] : rows.slice(0, mostKeys).map(({ id }, index) => [id, index + 1]))
  return (
    <div ref={field}>
      <Field
        label={
          <>
            Motivo <span className="font-normal text-ink-3">{ask}</span>
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
            {...(isSearching && { 'data-takes-escape': true })}
            value={typed}
            onChange={search}
            onKeyDown={onKeyDown}
            placeholder={hasKeys ? 'Buscar motivo, ou 1 a 9' : 'Buscar motivo'}
          />
        )}
      </Field>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Motivos"
        className="thin-scroll mt-2 grid max-h-72 min-h-0 gap-1 overflow-y-auto max-md:max-h-60"
      >
        {isSearching && rows.length === 0 && (
          <EmptyState
            icon={SearchX}
            title={`Nenhum motivo com “${typed.trim().slice(0, 40)}”`}
            description="Escolha o mais próximo. Motivos novos são de quem administra."
          />
        )}
        {groups
          .filter((group) => group.rows.length > 0)
          .map((group) => (
            <div key={group.title} role="group" aria-label={group.title || 'Encontrados'}>
              {group.title !== '' && <p className="pb-1 text-xs text-ink-3">{group.title}</p>}
              <div className="rounded-control border border-line">
                {group.rows.map((row) => (
                  <Option
                    key={row.id}
                    id={optionId(row.id)}
                    row={row}
                    typed={typed}
                    keyCap={keyOf.get(row.id)}
                    isChosen={row.id === value}
                    isActive={row.id === active?.id}
                    onChoose={() => choose(row.id)}
                  />
                ))}
              </div>
            </div>
          ))}
      </div>
    </div>
  )
}

function Option({
  id,
  row: { name, parent, note },
  typed,
  keyCap,
  isChosen,
  isActive,
  onChoose,
}: {
  id: string
  row: Row
  typed: string
  keyCap: number | undefined
  isChosen: boolean
  isActive: boolean
  onChoose: () => void
}) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onChoose}
      // The field has the keys; the focus stays there.
      onKeyDown={() => undefined}
      onMouseDown={(event) => event.preventDefault()}
      className={cn(
        'relative flex min-h-9 cursor-pointer items-center gap-2.5 border-t border-line px-2.5 text-sm',
        'first:rounded-t-control first:border-t-0 last:rounded-b-control hover:bg-hover max-md:min-h-11',
        isActive && 'bg-hover',
        isChosen && 'bg-selected hover:bg-selected',
      )}
    >
      {isChosen && <i aria-hidden className="absolute inset-y-0 left-0 w-[3px] bg-accent" />}
      {keyCap !== undefined && (
        <span aria-hidden className="flex-none max-md:hidden pointer-coarse:hidden">
          <KeyCap>{String(keyCap)}</KeyCap>
        </span>
      )}
      <span
        className="min-w-0 flex-1 truncate"
        title={parent === undefined ? name : `${parent} › ${name}`}
        dir="auto"
      >
        {parent !== undefined && (
          <span className="text-ink-2">
            <Said text={parent} typed={typed} /> ›{' '}
          </span>
        )}
        <span className="font-medium">
          <Said text={name} typed={typed} />
        </span>
      </span>
      {note !== undefined && <span className="flex-none text-xs text-ink-3 max-md:hidden">{note}</span>}
      {isChosen && <Check size={14} aria-hidden className="flex-none" />}
    </div>
  )
}

/** A text in which what was typed is marked. */
function Said({ text, typed }: { text: string; typed: string }): ReactNode {
  const mark = markOf(text, typed)
  if (!mark) return text
  const [from, to] = mark
  return (
    <>
      {text.slice(0, from)}
      <mark className="rounded-[3px] bg-found px-px text-ink">{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

const found = (all: readonly Reason[], choices: readonly Reason[], typed: string): Row[] =>
  findReasons(
    choices.map((reason) => offeredReason(all, reason)),
    typed,
  )

/** The last ones of the contact that may be chosen, and the others. */
function groupsOf(
  all: readonly Reason[],
  choices: readonly Reason[],
  last: readonly LastReason[],
  title: string,
): { title: string; rows: Row[] }[] {
  const used = last.flatMap(({ reasonId, at, isOfLast }): Row[] => {
    const reason = choices.find(({ id }) => id === reasonId)
    const note = isOfLast ? 'usado na última conversa' : `usado em ${shortDate(at)}`
    return reason ? [{ ...offeredReason(all, reason), note }] : []
  })
  const others = choices.filter(({ id }) => !used.some((row) => row.id === id))
  return [
    { title: 'Últimos motivos deste contato', rows: used },
    { title, rows: others.map((one) => offeredReason(all, one)) },
  ]
}
