import { Tag as TagIcon, Tags as TagsIcon } from 'lucide-react'
import type { CSSProperties } from 'react'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { useTags } from './use-tags.ts'

type Tagged = readonly number[] | undefined

/** The tags of a conversation where there is room for an icon only, in the colour of the first. */
export function TagMark({ tagIds }: { tagIds: Tagged }) {
  const tags = useTags().of(tagIds)
  const [first] = tags
  if (!first) return null
  const names = tags.map(({ name }) => name).join(', ')
  const Icon = tags.length === 1 ? TagIcon : TagsIcon
  return (
    <span
      style={{ '--cat': first.color } as CSSProperties}
      className="cat-ink inline-flex flex-none items-center"
      {...tooltip(names)}
    >
      <Icon size={13} aria-hidden />
      <span className="sr-only">{tags.length === 1 ? `Etiqueta ${names}` : `Etiquetas ${names}`}</span>
    </span>
  )
}

/** The names of the tags of a conversation. @param most beyond these only how many more there are */
export function TagBadges({
  tagIds,
  most = 3,
  isTight = false,
}: {
  tagIds: Tagged
  most?: number
  isTight?: boolean
}) {
  const tags = useTags().of(tagIds)
  const shown = tags.length > most ? tags.slice(0, most - 1) : tags
  const left = tags.slice(shown.length)
  return (
    <>
      {shown.map(({ id, name, color }) => (
        <CategoryBadge key={id} color={color} className={isTight ? 'min-w-8 shrink' : 'max-w-40'}>
          {name}
        </CategoryBadge>
      ))}
      {left.length > 0 && (
        <span
          className="inline-flex h-5 flex-none items-center text-xs text-ink-2 tabular-nums"
          {...tooltip(left.map(({ name }) => name).join(', '))}
        >
          +{left.length}
          <span className="sr-only"> etiquetas: {left.map(({ name }) => name).join(', ')}</span>
        </span>
      )}
    </>
  )
}
