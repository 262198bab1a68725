import { X } from 'lucide-react'

/** Whether two tags are the same one; case does not matter. */
export function isSameTag(one: string, other: string): boolean {
  return one.toLocaleLowerCase('pt-BR') === other.toLocaleLowerCase('pt-BR')
}

/** Tags, each with the button that removes it. `className` lays out the list. */
export function TagChips({
  tags,
  onRemove,
  className,
}: {
  tags: readonly string[]
  onRemove: (tag: string) => void
  className: string
}) {
  return (
    <ul aria-label="Etiquetas" className={className}>
      {tags.map((tag) => (
        <li
          key={tag}
          className={[
            'inline-flex h-6 max-w-full min-w-0 items-center rounded-tag border',
            'border-line bg-sunken pl-[7px] text-xs font-medium text-ink-2',
          ].join(' ')}
        >
          <span className="min-w-0 truncate" title={tag} dir="auto">
            {tag}
          </span>
          <button
            type="button"
            aria-label={`Remover etiqueta ${tag}`}
            onClick={() => onRemove(tag)}
            className="grid size-6 flex-none place-items-center rounded-tag hover:bg-hover hover:text-ink"
          >
            <X aria-hidden size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
