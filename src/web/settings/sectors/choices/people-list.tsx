import { X } from 'lucide-react'
import type { Candidate, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { listedWords, openWords } from '#web/settings/sectors/words.ts'
import { AddPerson } from './add-person.tsx'
import type { SectorValues } from '#web/settings/sectors/editor/sector-values.ts'

type People = SectorValues['people']

/** Who is in a sector, who leads it, and a field that adds others. */
export function PeopleList({
  people,
  known,
  sectorId,
  candidates,
  onChange,
}: {
  people: People
  /** Those who are stored, with what they have open. */
  known: ManagedSector['people']
  /** undefined: it does not exist yet. */
  sectorId: number | undefined
  candidates: readonly Candidate[]
  onChange: (people: People) => void
}) {
  const { living } = useSectors()
  const isIn = (userId: number) => people.some((person) => person.userId === userId)
  const elsewhere = (userId: number) =>
    living
      .filter((sector) => sector.id !== sectorId && sector.people.some((one) => one.userId === userId))
      .map(({ name }) => name)
  return (
    <>
      {people.length > 0 && (
        <ul aria-label="Pessoas do setor" className="@container w-full">
          {people.map(({ userId, isLead }) => (
            <PersonRow
              key={userId}
              person={
                known.find((one) => one.userId === userId) ??
                candidates.find((one) => one.userId === userId) ?? { name: '--', pictureUrl: null }
              }
              open={known.find((one) => one.userId === userId)?.open}
              elsewhere={elsewhere(userId)}
              isLead={isLead}
              onLead={(next) =>
                onChange(people.map((one) => (one.userId === userId ? { userId, isLead: next } : one)))
              }
              onRemove={() => onChange(people.filter((one) => one.userId !== userId))}
            />
          ))}
        </ul>
      )}
      <AddPerson
        candidates={candidates.filter(({ userId }) => !isIn(userId))}
        onAdd={(userId) => onChange([...people, { userId, isLead: false }])}
      />
    </>
  )
}

function PersonRow({
  person: { name, pictureUrl },
  open,
  elsewhere,
  isLead,
  onLead,
  onRemove,
}: {
  person: Pick<Candidate, 'name' | 'pictureUrl'>
  /** undefined: not in the sector yet. */
  open: number | undefined
  elsewhere: readonly string[]
  isLead: boolean
  onLead: (isLead: boolean) => void
  onRemove: () => void
}) {
  const also = `também ${listedWords(elsewhere)}`
  return (
    <li
      className={[
        'flex min-h-10 flex-wrap items-center gap-x-2.5 border-b border-line py-1 text-sm',
        'last:border-b-0 @md:flex-nowrap',
      ].join(' ')}
    >
      <Avatar name={name} src={pictureUrl} size={28} />
      <span className="min-w-0 flex-1 truncate" title={name} dir="auto">
        {name}
      </span>
      <span
        className={[
          'flex min-w-0 items-center gap-x-2.5 @max-md:order-last @max-md:basis-full',
          '@max-md:flex-row-reverse @max-md:justify-end @max-md:pl-[38px] @md:max-w-[70%]',
        ].join(' ')}
      >
        {elsewhere.length > 0 && (
          <Badge tone="plain" title={also} className="max-w-40 min-w-0 shrink">
            {also}
          </Badge>
        )}
        <label
          className={[
            'flex flex-none items-center gap-1.5 text-xs text-ink-2 max-md:min-h-11 @max-md:order-2',
          ].join(' ')}
        >
          <input
            type="checkbox"
            checked={isLead}
            aria-label={`Responsável: ${name}`}
            onChange={({ target }) => onLead(target.checked)}
            className="size-4 accent-accent"
          />
          Responsável
        </label>
        <span className="flex-none text-right text-xs text-ink-3 tabular-nums @max-md:order-1 @md:w-16">
          {open === undefined ? 'a incluir' : openWords(open)}
        </span>
      </span>
      <IconButton
        icon={X}
        size="sm"
        label={`Tirar ${name} do setor`}
        onClick={onRemove}
        className="max-md:size-11"
      />
    </li>
  )
}
