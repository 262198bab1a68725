import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'
import { RecentRow } from './recent-row.tsx'

const listedAtOnce = 10
const TransferDialog = onDemand(
  async () => (await import('#web/conversations/hand-over/transfer-dialog.tsx')).TransferDialog,
)

/** Some of the open conversations, each of which can be transferred. */
export function ListedConversations({
  id,
  label,
  conversations,
  nowMs,
  hasHolders = false,
}: {
  id?: string
  label: string
  conversations: readonly Conversation[]
  nowMs: number
  /** Also who has each of them. */
  hasHolders?: boolean
}) {
  const [most, setMost] = useState(listedAtOnce)
  const mayTransfer = useCan('transfer')
  const [transferred, setTransferred] = useState<Conversation>()
  const left = conversations.length - most
  return (
    <>
      <ul id={id} aria-label={label}>
        {conversations.slice(0, most).map((row) => (
          <li key={row.id} className="flex items-center border-line not-first:border-t">
            <span className="min-w-0 flex-1">
              <RecentRow
                conversation={row}
                nowMs={nowMs}
                {...(hasHolders && row.assignedUser && { holder: row.assignedUser.name })}
              />
            </span>
            {mayTransfer && (
              <IconButton
                size="sm"
                icon={ArrowRightLeft}
                label={`Transferir a conversa de ${row.contact.name || unknownContact}`}
                className="mr-2"
                onClick={() => setTransferred(row)}
              />
            )}
          </li>
        ))}
      </ul>
      {transferred && <TransferDialog conversation={transferred} onClose={() => setTransferred(undefined)} />}
      {left > 0 && (
        <p className="border-t border-line px-2 py-1">
          <Button variant="link" size="sm" onClick={() => setMost(most + listedAtOnce)}>
            {`Mostrar mais (${left})`}
          </Button>
        </p>
      )}
    </>
  )
}
