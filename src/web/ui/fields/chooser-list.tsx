import { Check } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { fold } from '#shared/text/fold.ts'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { PopoverContent } from '#web/ui/overlays/popover-content.tsx'
import { SearchField } from './search-field.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { clampedStep, useListbox } from './use-listbox.ts'

export interface ChooserOption {
  /** Never empty. */
  value: string
  label: string
}

/** Longer lists get a search field. */
const manyOptions = 8

/** The list that a `Chooser` opens. */
export function ChooserList({
  place,
  onClose,
  label,
  value,
  options,
  onRetry,
  onChoose,
  searchPlaceholder,
  nothingFound,
  action,
}: {
  /** The button that opened it. */
  place: RefObject<HTMLButtonElement | null>
  onClose: () => void
  /** Accessible name of what is chosen: 'Empresa'. */
  label: string
  value: string
  /** undefined while they are loading. */
  options: readonly ChooserOption[] | undefined
  /** Given when they could not be loaded. */
  onRetry: (() => void) | undefined
  onChoose: (value: string) => void
  searchPlaceholder: string
  nothingFound: string
  action: { label: string; onSelect: () => void }
}) {
  const isActing = useRef(false)
  return (
    <PopoverContent
      place={place}
      isToggle
      label={label}
      align="start"
      className="grid w-[min(280px,calc(100vw-16px))] overflow-hidden"
      onClose={onClose}
      // The button has the focus by then, so that a dialog opened here returns the focus to it.
      onClosed={() => isActing.current && action.onSelect()}
    >
      {options ? (
        <ChooserOptions
          label={label}
          value={value}
          options={options}
          searchPlaceholder={searchPlaceholder}
          nothingFound={nothingFound}
          onChoose={(chosen) => {
            onClose()
            if (chosen !== value) onChoose(chosen)
          }}
        />
      ) : onRetry ? (
        <ErrorState className="py-4" onRetry={onRetry} />
      ) : (
        <div aria-busy className="grid gap-3.5 p-3">
          <span className="sr-only">Carregando</span>
          <Skeleton className="w-40" />
          <Skeleton className="w-28" />
          <Skeleton className="w-36" />
        </div>
      )}
      <button
        type="button"
        onClick={() => {
          isActing.current = true
          onClose()
        }}
        className={[
          'flex h-9 items-center gap-2 border-t border-line px-3',
          'font-medium text-accent-text -outline-offset-2 hover:bg-hover',
        ].join(' ')}
      >
        {action.label}
      </button>
    </PopoverContent>
  )
}

/** The options of a list, searched where they are many. The list takes the focus. */
export function ChooserOptions({
  label,
  value,
  options,
  searchPlaceholder,
  nothingFound,
  onChoose,
}: {
  label: string
  value: string
  options: readonly ChooserOption[]
  searchPlaceholder: string
  nothingFound: string
  onChoose: (value: string) => void
}) {
  const [search, setSearch] = useState('')
  const words = fold(search.trim())
  const found = words === '' ? options : options.filter((option) => fold(option.label).includes(words))
  const isSearched = options.length > manyOptions
  const listbox = useListbox({
    count: found.length,
    first: Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
    stepFor,
    onChoose: (index) => onChoose(found[index]?.value ?? value),
  })
  const { marked, markOption } = listbox
  const keys = {
    // The options may arrive after the list was opened.
    ref: takeFocus,
    ...listbox.owner,
    onKeyDown: (event: KeyboardEvent) => {
      if (listbox.moveByKey(event.key) || (event.key === 'Enter' && listbox.chooseMarked()))
        event.preventDefault()
    },
  }
  return (
    <>
      {isSearched && (
        <div className="p-2 pb-1">
          <SearchField
            {...keys}
            role="combobox"
            aria-controls={listbox.list.id}
            aria-expanded
            aria-autocomplete="list"
            value={search}
            placeholder={searchPlaceholder}
            onChange={(text) => {
              setSearch(text)
              markOption(0)
            }}
          />
        </div>
      )}
      <div
        {...listbox.list}
        aria-label={label}
        {...(isSearched ? { tabIndex: -1 } : { ...keys, 'aria-controls': undefined, tabIndex: 0 })}
        className="max-h-[300px] thin-scroll overflow-y-auto p-1 -outline-offset-2"
      >
        {found.map((option, index) => (
          <div
            key={option.value}
            {...listbox.option(index)}
            aria-selected={option.value === value}
            onPointerMove={() => index !== marked && markOption(index)}
            className={cn(
              'flex md:min-h-8 cursor-pointer items-center gap-2 rounded-[7px] px-2',
              index === marked && 'bg-hover',
              option.value === value && 'font-medium',
            )}
          >
            <span className="min-w-0 flex-1 truncate" title={option.label} dir="auto">
              {option.label}
            </span>
            {option.value === value && <Check size={14} aria-hidden className="flex-none text-accent-text" />}
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
            {nothingFound}
          </div>
        )}
      </div>
    </>
  )
}

function stepFor(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return clampedStep(from, 1, count)
    case 'ArrowUp':
      return clampedStep(from, -1, count)
    case 'PageDown':
      return count - 1
    case 'PageUp':
      return 0
    default:
      return undefined
  }
}

function takeFocus(element: HTMLElement | null) {
  return element?.focus()
}
