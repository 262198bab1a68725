import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { fold } from '#shared/text/fold.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'

/** The search above a list of choices: the arrow down goes to the first that is shown, Enter chooses it. */
export function ChoiceSearch({
  list,
  value,
  onChange,
  placeholder,
}: {
  list: RefObject<HTMLElement | null>
  value: string
  onChange: (value: string) => void
  placeholder: string
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const first = list.current?.querySelector<HTMLElement>('[role=radio]:not([disabled])')
    if (!first || event.ctrlKey || event.metaKey) return
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'Enter') first.click()
    else first.focus()
  }
  return (
    <SearchField
      className="flex-none"
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      placeholder={placeholder}
    />
  )
}

/** Keeps the chosen one in sight where what is asked about it, below, takes the room in which it stood. */
export function useChosenInSight(list: RefObject<HTMLElement | null>, chosen: string | undefined): void {
  useEffect(() => {
    if (chosen === undefined) return
    list.current?.querySelector('[data-state=checked]')?.scrollIntoView({ block: 'nearest' })
  }, [list, chosen])
}

/** What a search finds, and behind it what is chosen: the conversation goes there, whatever is looked for. */
export function withChosen<Row extends { id: number; name: string }>(
  all: readonly Row[],
  search: string,
  chosen: string | undefined,
): { found: Row[]; shown: Row[] } {
  const words = fold(search.trim())
  const [found, others] = [true, false].map((isFound) =>
    all.filter(({ name }) => fold(name).includes(words) === isFound),
  ) as [Row[], Row[]]
  return { found, shown: [...found, ...others.filter(({ id }) => String(id) === chosen)] }
}
