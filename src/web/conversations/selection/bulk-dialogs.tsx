import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Check } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ReasonOf, useReasonOf } from '#web/reasons/reasons.tsx'
import { TagField, useTagChoice } from '#web/tags/tags.tsx'
import { unknownContact } from '#shared/text/text.ts'
import { userQueries } from '#web/users/users.tsx'
import { conversationsText } from '#web/conversations/hand-over/conversations-text.ts'
import { Receivers } from '#web/conversations/hand-over/receivers.tsx'
import { TeamNote } from '#web/conversations/hand-over/team-note.tsx'
import { type BulkAct, finalizing, transferring } from './bulk-run.ts'

interface Asked {
  rows: readonly Conversation[]
  onStart: (act: BulkAct) => void
  onClose: () => void
}

/** Asks to whom the selected conversations go. */
export function TransferSeveral({ rows, onStart, onClose }: Asked) {
  const { data: operators } = useQuery(userQueries.operators())
  const [chosen, setChosen] = useState<string>()
  const [note, setNote] = useState('')
  const discard = useDiscard(note.trim() !== '', onClose)
  const receiver = operators?.find(({ id }) => String(id) === chosen)
  const [first] = rows
  // Left out only if they have all of them.
  const holderId = rows.every((row) => row.assignedUserId === first?.assignedUserId)
    ? (first?.assignedUserId ?? null)
    : null
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Transferir conversas"
      description={conversationsText(rows.length)}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button
            variant="primary"
            icon={ArrowRightLeft}
            disabled={!receiver}
            onClick={() => receiver && onStart(transferring(receiver, note))}
          >
            Transferir {conversationsText(rows.length)}
          </Button>
        </>
      }
    >
      <Receivers
        takesFocus
        holderId={holderId}
        instanceIds={rows.map(({ instanceId }) => instanceId)}
        sectorIds={rows.map(({ sectorId }) => sectorId)}
        chosen={chosen}
        onChoose={setChosen}
      />
      <TeamNote value={note} onChange={setNote} hint="Fica em cada conversa; o cliente não a vê." />
      {discard.question}
    </Dialog>
  )
}

/** Asks for the notes with which the selected conversations are completed. */
export function FinalizeSeveral({ rows, onStart, onClose }: Asked) {
  const [notes, setNotes] = useState('')
  const discard = useDiscard(notes.trim() !== '', onClose)
  const reason = useReasonOf(rows)
  const tags = useTagChoice(rows)
  const misfits = rows.filter((row) => !reason.fits(row))
  const untagged = rows.filter((row) => !tags.fits(row))
  const start = () => {
    const areGiven = [reason.isGiven(), tags.isGiven()]
    if (!areGiven.includes(false)) onStart(finalizing({ notes, reasonId: reason.id, tagIds: tags.ids }))
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Finalizar atendimentos"
      description={`${conversationsText(rows.length)}: cada cliente recebe a mensagem de encerramento.`}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button variant="primary" icon={Check} onClick={start}>
            Finalizar {conversationsText(rows.length)}
          </Button>
        </>
      }
    >
      <ReasonOf reason={reason} />
      <Misfits
        rows={misfits}
        why={reason.path === undefined ? 'Motivo obrigatório para' : `${reason.path} não serve para`}
      />
      <TagField choice={tags} />
      <Misfits rows={untagged} why="Etiqueta obrigatória para" />
      <Field label="Notas do atendimento" hint="Ficam no arquivamento de cada uma; o cliente não as vê.">
        {(control) => (
          <textarea
            {...control}
            rows={reason.ask === 'no' && tags.ask === 'no' ? 4 : 2}
            maxLength={10_000}
            value={notes}
            onChange={(event) => setNotes(event.target.value)}
            className={fieldLook('lines')}
          />
        )}
      </Field>
      {discard.question}
    </Dialog>
  )
}

/** Which conversations what is chosen does not fit: they stay open, and nothing of it is silent. */
function Misfits({ rows, why }: { rows: readonly Conversation[]; why: string }) {
  if (rows.length === 0) return null
  const names = rows.map(({ contact }) => contact.name || unknownContact)
  const shown = names.slice(0, 5).join(', ')
  const more = names.length > 5 ? ` e mais ${names.length - 5}` : ''
  return (
    <p role="status" className="text-sm wrap-anywhere text-amber-text">
      {`${why} ${shown}${more}: ${rows.length === 1 ? 'fica aberta' : 'ficam abertas'}.`}
    </p>
  )
}
