import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { SideTabs } from '#web/ui/layout/side-tabs.tsx'
import { findSettings } from './find-settings.ts'
import { type Place, usePlaces } from './places.ts'
import { reveal, useReveal } from './reveal.ts'
import { type IndexEntry, type PlaceId, placeLabels, settingsIndex } from './settings-index.ts'

const [sectionParam, fieldParam] = ['secao', 'campo']

/** Both screens of the settings: the list of all parts, the search over them, and the chosen part. */
export function SettingsFrame({
  title,
  actions,
  chosen,
  children,
}: {
  title: string
  /** At the right of the heading. */
  actions?: ReactNode
  chosen: PlaceId
  /** The chosen part. */
  children: ReactNode
}) {
  const groups = usePlaces()
  const places = groups.flatMap((group) => group.places)
  const isWide = useMediaQuery('(min-width: 75rem)')
  const [, navigate] = useLocation()
  const [params] = useSearchParams()
  const [typed, setTyped] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  useReveal(
    panel,
    settingsIndex.find(
      ({ place, section, label }) =>
        place === chosen &&
        section === params.get(sectionParam) &&
        (label ?? null) === params.get(fieldParam),
    ),
  )
  const found = findSettings(
    typed,
    places.map(({ id }) => id),
  )
  const isSearching = typed.trim() !== ''
  const addressOf = (id: PlaceId) => places.find((place) => place.id === id)?.address ?? ''
  const shown = (entry: IndexEntry) => {
    setTyped('')
    // Where it is looked at already, nothing changes that would show it again.
    if (entry.place === chosen && panel.current) reveal(panel.current, entry)
  }
  const press = (event: KeyboardEvent) => {
    const [first] = found
    if (event.key === 'Escape' && isSearching) {
      event.stopPropagation()
      setTyped('')
    }
    if (event.key !== 'Enter' || !first) return
    event.preventDefault()
    shown(first)
    navigate(addressTo(first, places))
  }
  return (
    <Page title={title} isTabbed actions={actions}>
      <SideTabs
        label="Configurações"
        groups={groups.map((group) => ({
          title: group.title,
          tabs: group.places.map(({ id }) => ({ value: id, label: placeLabels[id] })),
        }))}
        value={chosen}
        isWide={isWide}
        isListHidden={isSearching}
        onChange={(id) => navigate(addressOf(id as PlaceId))}
        above={
          places.length > 1 && (
            <div className="pt-2 pb-1 lg:pt-3 lg:pb-2">
              <SearchField
                value={typed}
                onChange={setTyped}
                onKeyDown={press}
                placeholder="Buscar configuração..."
              />
              {isSearching && <Found entries={found} places={places} onChoose={shown} />}
            </div>
          )
        }
      >
        {/* So that the errors of a row of fields stay below it: what moves away is not clicked. */}
        <div ref={panel} className="flex grow flex-col [--section-side:176px]">
          {children}
        </div>
      </SideTabs>
    </Page>
  )
}

function addressTo({ place, section, label }: IndexEntry, places: readonly Place[]): string {
  const address = places.find(({ id }) => id === place)?.address ?? ''
  const asked = new URLSearchParams({ [sectionParam]: section, ...(label && { [fieldParam]: label }) })
  return `${address}&${asked}`
}

function Found({
  entries,
  places,
  onChoose,
}: {
  entries: readonly IndexEntry[]
  places: readonly Place[]
  onChoose: (entry: IndexEntry) => void
}) {
  if (entries.length === 0)
    return (
      <p role="status" className="px-2.5 py-3 text-sm text-ink-2">
        Nenhuma configuração encontrada
      </p>
    )
  return (
    <ul
      aria-label="Configurações encontradas"
      className={[
        'thin-scroll mt-2 grid max-h-[60vh] gap-0.5 overflow-y-auto',
        'max-lg:border-b max-lg:border-line max-lg:pb-2',
      ].join(' ')}
    >
      {entries.map((entry) => (
        <li key={`${entry.place} ${entry.section} ${entry.label ?? ''}`}>
          <Link
            href={addressTo(entry, places)}
            onClick={() => onChoose(entry)}
            className="grid rounded-control px-2.5 py-1.5 text-sm -outline-offset-2 hover:bg-hover"
          >
            <span className="font-medium">{entry.label ?? entry.section}</span>
            <span className="text-xs text-ink-3">
              {placeLabels[entry.place]}
              {entry.label && entry.section !== placeLabels[entry.place] && ` › ${entry.section}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
