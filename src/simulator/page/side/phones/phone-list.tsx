import { useState } from 'react'
import type { PhoneView } from '#simulator/control-views.ts'
import type { ShownPhones } from '#simulator/page/shown-phones.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { findPhones } from './find-phones.ts'
import { PhoneCheck } from './phone-check.tsx'
import { PhoneChoice } from './phone-choice.tsx'

/** All phones, shown ones first, with a search. */
export function PhoneList({
  phones,
  shownPhones: { shown, front, show, hide },
  onChoose,
}: {
  phones: PhoneView[]
  shownPhones: ShownPhones
  /** Present where only one phone fits: the rows then choose which. */
  onChoose: ((id: string) => void) | undefined
}) {
  const [search, setSearch] = useState('')
  const first = new Set((onChoose ? (front ? [front] : []) : shown).map(({ id }) => id))
  const found = findPhones(phones, search, first)
  return (
    <>
      <div className="shrink-0 px-3 pb-1.5">
        <SearchField value={search} onChange={setSearch} placeholder="Buscar por nome ou número" />
      </div>
      <ul
        aria-label="Celulares"
        className="thin-scroll min-h-[170px] flex-1 basis-[238px] overflow-y-auto [contain:strict]"
      >
        {found.map((phone) => (
          <li key={phone.id}>
            {onChoose ? (
              <PhoneChoice
                phone={phone}
                isHere={phone.id === front?.id}
                onChoose={() => onChoose(phone.id)}
              />
            ) : (
              <PhoneCheck
                phone={phone}
                isShown={first.has(phone.id)}
                onChange={(isShown) => (isShown ? show(phone.id) : hide(phone.id))}
              />
            )}
          </li>
        ))}
        {found.length === 0 && (
          <li className="px-4 py-2 text-sm text-ink-2">
            <p role="status">Nenhum celular encontrado.</p>
          </li>
        )}
      </ul>
    </>
  )
}
