import { ArrowRightLeft, Check, CheckCheck, MessageSquareCheck, Tag, X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { type BulkAct, readingAll, tagging } from './bulk-run.ts'
import { FinalizeSeveral, TransferSeveral } from './bulk-dialogs.tsx'
import { BulkResults } from './bulk-results.tsx'
import { useBulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

const TagsDialog = onDemand(async () => (await import('./tags-dialog.tsx')).TagsDialog)

type Asked = 'transfer' | 'finalize' | 'tags'

/** What can be done with the selected conversations, floating over the end of their list. */
export function SelectionBar({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const { rows, isWhole } = selection
  const bulk = useBulk(selection.drop)
  const unread = useUnread()
  // With the rows as they were when the dialog covered them: what comes meanwhile is not seen.
  const [asked, setAsked] = useState<{ act: Asked; seen: readonly Conversation[] }>()
  const mayTransfer = useCan('transfer')
  const mayFinalize = useCan('finalize')
  const { hasTags } = useMe()
  const mayTag = useCan('viewConversations') && hasTags
  const isEmpty = rows.length === 0
  const close = () => setAsked(undefined)
  const ask = (act: Asked) => setAsked({ act, seen: rows })
  const dialog = asked && {
    rows: asked.seen,
    onStart: (act: BulkAct) => {
      close()
      bulk.start(act, asked.seen)
    },
    onClose: close,
  }
  return (
    <div
      role="group"
      aria-label="Seleção"
      className={[
        'animate-pop @container absolute inset-x-2 bottom-2 z-10 mx-auto max-w-[720px]',
        'rounded-card bg-surface shadow-float',
      ].join(' ')}
    >
      <div className="flex flex-wrap items-center p-1.5">
        <div className="flex min-w-0 flex-1 items-center gap-1 @max-2xl:basis-full">
          <IconButton label="Encerrar a seleção" icon={X} onClick={onClose} />
          <p role="status" className="min-w-0 flex-1 truncate text-sm font-medium tabular-nums">
            {rows.length === 1 ? '1 selecionada' : `${rows.length} selecionadas`}
          </p>
          <BarButton
            label="Selecionar todas"
            icon={CheckCheck}
            disabled={isWhole}
            onClick={selection.chooseAll}
          />
        </div>
        <div className="flex items-center gap-1 @max-2xl:basis-full @max-2xl:justify-between">
          <BarButton
            label="Marcar como lidas"
            icon={MessageSquareCheck}
            disabled={isEmpty}
            isBusy={bulk.isRunning}
            onClick={() => bulk.start(readingAll(unread), rows)}
          />
          {mayTag && (
            <BarButton label="Etiquetas" icon={Tag} disabled={isEmpty} onClick={() => ask('tags')} />
          )}
          {mayTransfer && (
            <BarButton
              label="Transferir"
              icon={ArrowRightLeft}
              disabled={isEmpty}
              onClick={() => ask('transfer')}
            />
          )}
          {mayFinalize && (
            <BarButton label="Finalizar" icon={Check} disabled={isEmpty} onClick={() => ask('finalize')} />
          )}
        </div>
      </div>
      {asked?.act === 'transfer' && dialog && <TransferSeveral {...dialog} />}
      {asked?.act === 'tags' && dialog && (
        <TagsDialog rows={dialog.rows} onSave={(change) => dialog.onStart(tagging(change))} onClose={close} />
      )}
      {asked?.act === 'finalize' && dialog && <FinalizeSeveral {...dialog} />}
      {bulk.results && <BulkResults {...bulk.results} />}
    </div>
  )
}

/** Without its icon where there is no room for it. */
function BarButton(props: {
  label: string
  icon: LucideIcon
  disabled?: boolean
  isBusy?: boolean
  onClick: () => void
}) {
  const { label, ...rest } = props
  return (
    <Button variant="ghost" size="sm" {...rest} className="@max-2xl:[&>svg]:hidden">
      {label}
    </Button>
  )
}
