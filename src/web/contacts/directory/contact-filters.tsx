import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { listTags } from '#shared/contacts/contact-changes.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { call } from '#web/platform/api/api.ts'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { type ContactFilter, contactQueries } from '#web/contacts/queries.ts'

/** A select has no empty value. */
const every = 'all'

/** Narrows the list to a category and a tag. */
export function ContactFilters({
  filter: { category, tag },
  onChange,
}: {
  filter: ContactFilter
  onChange: (next: { category?: string; tag?: string }) => void
}) {
  const { data: categories = [], error } = useQuery(contactQueries.categories())
  const [wantsTags, setWantsTags] = useState(false)
  const { data: tags } = useQuery({
    queryKey: [...contactQueries.all, 'tags'],
    queryFn: ({ signal }) => call(listTags, { query: {}, signal }),
    enabled: wantsTags,
    staleTime: 0,
  })
  const known = categories.map(({ name, color }) => ({ value: name.toLowerCase(), name, color }))
  const isKnown = category === '' || known.some(({ value }) => value === category)
  return (
    <>
      <Select
        aria-label="Categoria"
        fieldSize="bar"
        className="max-w-56"
        value={category || every}
        onChange={(value) => onChange({ category: value === every ? '' : value })}
        options={[
          { value: every, label: 'Todas as categorias' },
          ...known.map(({ value, name, color }) => ({
            value,
            label: <CategoryOption name={name} color={color} />,
          })),
          // One that is no longer offered, in a link.
          ...(isKnown ? [] : [{ value: category, label: categoryLabel(category) }]),
        ]}
      />
      {error && categories.length === 0 && (
        <span role="alert" className="text-sm text-red-text">
          Failed to fetch contact categories
        </span>
      )}
      <span onFocus={() => setWantsTags(true)} onPointerEnter={() => setWantsTags(true)}>
        <ChoiceChip
          label="Etiqueta"
          shown={tag || undefined}
          value={tag}
          options={tags?.map((one) => ({ value: one.tag, label: `${one.tag} (${one.count})` }))}
          onChoose={(value) => onChange({ tag: value })}
          onClear={() => onChange({ tag: '' })}
          searchPlaceholder="Buscar etiqueta..."
          nothingFound="Nenhuma etiqueta em uso"
          anything="Qualquer etiqueta"
        />
      </span>
    </>
  )
}

/** A category in a select: its colour and its name. */
export function CategoryOption({ name, color }: { name: string; color: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <i
        aria-hidden
        style={{ '--cat': color } as CSSProperties}
        className="cat-dot size-2 flex-none rounded-full"
      />
      <span className="truncate" dir="auto">
        {categoryLabel(name)}
      </span>
    </span>
  )
}
