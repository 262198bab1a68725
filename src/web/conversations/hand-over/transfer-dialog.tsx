import { useQueryClient } from '@tanstack/react-query'
import { ArrowRightLeft, Layers, User } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { SummaryForNote, useAssistantIn } from '#web/assistant/assistant.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { openRow } from '#web/conversations/cache/queries.ts'
import { isConflict, useTransfer } from '#web/conversations/mutations/conversation-mutations.ts'
import { useTransferToSector } from '#web/conversations/mutations/sector-mutations.ts'
import { EndButtons, type Ending, type GoOn, GoOnHint } from './go-on.tsx'
import { Receivers } from './receivers.tsx'
import { SectorChoice } from './sector-choice.tsx'
import { StaysOnHold } from './stays-on-hold.tsx'
import { firstOf, StaysIn } from './stays-in.tsx'
import { TeamNote } from './team-note.tsx'

/** Transfers the conversation to a colleague, with a note that only the team sees. */
export function TransferDialog({
  conversation,
  goOn,
  onClose,
}: {
  conversation: Conversation
  /** From its chat: where the person goes then. */
  goOn?: GoOn
  onClose: () => void
}) {
  const [receiver, setReceiver] = useState<string>()
  const [chosenTab, setTab] = useState<'person' | 'sector'>()
  const to = chosenTab ?? 'person'
  const [sector, setSector] = useState<string>()
  const { areAny, living } = useSectors()
  const [note, setNote] = useState('')
  const discard = useDiscard(note.trim() !== '', onClose)
  const [ending, setEnding] = useState<Ending>()
  const [staysOnHold, setStaysOnHold] = useState(true)
  const [staysIn, setStaysIn] = useState<string>()
  const client = useQueryClient()
  // As it was when the dialog covered it: who takes it meanwhile is named before it is taken from them.
  const [holderId, setHolderId] = useState(conversation.assignedUserId)
  const { mutateAsync } = useTransfer({ id: conversation.id, assignedUserId: holderId })
  const { mutateAsync: moveAsync } = useTransferToSector({ id: conversation.id, assignedUserId: holderId })
  const isToSector = areAny && to === 'sector'
  const ofReceiver = living.filter(
    ({ isActive, numberIds, people }) =>
      isActive &&
      (numberIds?.includes(conversation.instanceId) ?? true) &&
      people.some(({ userId }) => String(userId) === receiver),
  )
  const { canSummarize } = useAssistantIn(conversation.id)
  // Awaits the promise rather than using callbacks: the push may arrive first, and remove the row with its
  // dialog.
  const transfer = (how: Ending) => {
    setEnding(how)
    const isForNext = how === 'next'
    const stays = staysIn ?? firstOf(ofReceiver, conversation.sectorId)
    const hold = conversation.snoozedUntil !== undefined && !staysOnHold && { endsSnooze: true }
    const done: Promise<unknown> = isToSector
      ? moveAsync({ sectorId: Number(sector), note, ...hold })
      : mutateAsync({
          newOperatorId: Number(receiver),
          note,
          ...hold,
          ...(ofReceiver.length > 1 && { sectorId: Number(stays) }),
        })
    done.then(
      () => {
        const next = isForNext ? goOn?.nextName : undefined
        toast({
          tone: 'success',
          title: 'Conversa transferida!',
          ...(next !== undefined && { description: `Próxima: ${next}` }),
        })
        onClose()
        goOn?.leave(isForNext)
      },
      (error: Error) => {
        setEnding(undefined)
        if (isConflict(error)) setHolderId((openRow(client, conversation.id) ?? conversation).assignedUserId)
        toast({ tone: 'error', title: `Erro ao transferir conversa: ${error.message || 'Tente novamente'}` })
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Transferir conversa"
      description={conversation.contact.name}
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <EndButtons
            verb="Transferir"
            busyLabel="Transferindo..."
            icon={ArrowRightLeft}
            goOn={goOn}
            isOff={discard.isAsked || (isToSector ? sector : receiver) === undefined}
            busy={ending}
            onEnd={transfer}
          />
        </>
      }
    >
      {areAny && (
        <Segmented
          label="Transferir a"
          value={to}
          options={[
            { value: 'person', label: 'Pessoa', icon: User },
            { value: 'sector', label: 'Setor', icon: Layers },
          ]}
          onChange={setTab}
          className="flex"
        />
      )}
      {/* Of one height, so that the tabs stay where they are pressed. */}
      <div className={areAny ? 'flex h-80 min-h-0 flex-col gap-3.5' : 'contents'}>
        {isToSector ? (
          <SectorChoice
            conversation={conversation}
            isQueued={holderId === null}
            chosen={sector}
            onChoose={setSector}
          />
        ) : (
          <Receivers
            // Not from whoever moves between the tabs.
            takesFocus={chosenTab === undefined}
            holderId={holderId}
            instanceIds={[conversation.instanceId]}
            sectorIds={[conversation.sectorId]}
            chosen={receiver}
            onChoose={setReceiver}
          />
        )}
        {!isToSector && ofReceiver.length > 1 && (
          <StaysIn
            sectors={ofReceiver}
            hereId={conversation.sectorId}
            chosen={staysIn ?? firstOf(ofReceiver, conversation.sectorId)}
            onChoose={setStaysIn}
          />
        )}
      </div>
      {conversation.snoozedUntil !== undefined && (
        <StaysOnHold
          until={conversation.snoozedUntil}
          isOn={staysOnHold}
          isToSector={isToSector}
          onChange={setStaysOnHold}
        />
      )}
      <TeamNote value={note} onChange={setNote} hint="O cliente não vê a nota." />
      {canSummarize && (
        <SummaryForNote
          conversationId={conversation.id}
          onText={(text) => setNote((now) => `${now.trim()}\n${text}`.trim().slice(0, 2000))}
        />
      )}
      <GoOnHint verb="transfere" goOn={goOn} />
      {discard.question}
    </Dialog>
  )
}
