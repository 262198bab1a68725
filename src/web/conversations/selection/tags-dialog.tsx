import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { mostTagsOfOne, tagsFor } from '#shared/tags/tags.ts'
import { unknownContact } from '#shared/text/text.ts'
import { TagOptions, type TagState, useTags } from '#web/tags/tags.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { conversationsText } from '#web/conversations/hand-over/conversations-text.ts'

/** What is put on conversations and taken off them, by ids. */
export interface TagChange {
  add: number[]
  remove: number[]
}

/** Chooses the tags of a conversation, or of several: of these a tag that some have stays where it is. */
export function TagsDialog({
  rows,
  isBusy = false,
  onSave,
  onClose,
}: {
  rows: readonly Conversation[]
  isBusy?: boolean
  onSave: (change: TagChange) => void
  onClose: () => void
}) {
  const { all } = useTags()
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  const before = (id: number): TagState => {
    const count = rows.filter(({ tagIds }) => tagIds?.includes(id)).length
    return count === 0 ? 'none' : count === rows.length ? 'all' : 'some'
  }
  const stateOf = (id: number): TagState => {
    const wanted = changed.get(id)
    return wanted === undefined ? before(id) : wanted ? 'all' : 'none'
  }
  const toggle = (id: number) => {
    const next = stateOf(id) !== 'all'
    setChanged(new Map([...changed, [id, next]]))
  }
  const offered = new Set(rows.flatMap(({ sectorId }) => tagsFor(all, sectorId)))
  // What one has can be taken off, whatever became of it.
  const tags = all.filter((tag) => offered.has(tag) || before(tag.id) !== 'none')
  const pick = (isAdded: boolean) =>
    [...changed].flatMap(([id, next]) =>
      next === isAdded && before(id) !== (isAdded ? 'all' : 'none') ? [id] : [],
    )
  const change = { add: pick(true), remove: pick(false) }
  const [first] = rows
  const isFull = tags.filter(({ id }) => stateOf(id) === 'all').length > mostTagsOfOne
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Etiquetas da conversa"
      description={rows.length === 1 ? first?.contact.name || unknownContact : conversationsText(rows.length)}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={Check}
            isBusy={isBusy}
            busyLabel="Salvando..."
            disabled={isFull || (change.add.length === 0 && change.remove.length === 0)}
            onClick={() => onSave(change)}
          >
            Salvar
          </Button>
        </>
      }
    >
      <TagOptions
        tags={tags}
        stateOf={stateOf}
        error={isFull ? `Uma conversa tem no máximo ${mostTagsOfOne} etiquetas.` : undefined}
        takesFocus
        onToggle={toggle}
      />
    </Dialog>
  )
}
