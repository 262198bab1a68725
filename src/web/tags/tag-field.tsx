import { TagOptions } from './lazy-tag-options.tsx'
import { TagBadges } from './tag-marks.tsx'
import type { TagChoice } from './use-tag-choice.ts'

/** The tags that a conversation is given when it ends; nothing where none is asked for. */
export function TagField({
  choice: { ask, choices, ids, error, toggle },
  tagIds,
}: {
  choice: TagChoice
  /** What it has already. */
  tagIds?: readonly number[] | undefined
}) {
  if (ask === 'no') return null
  const hasSome = (tagIds ?? []).length > 0
  return (
    <div className="grid gap-2">
      <TagOptions
        tags={choices}
        stateOf={(id) => (ids.includes(id) ? 'all' : 'none')}
        ask={ask === 'required' ? 'obrigatória' : 'opcional'}
        error={error}
        onToggle={toggle}
      />
      {hasSome && (
        <p className="flex flex-wrap items-center gap-1.5 text-xs text-ink-2">
          Já tem: <TagBadges tagIds={tagIds} most={20} />
        </p>
      )}
    </div>
  )
}
