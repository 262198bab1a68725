import { Copy, RotateCw, X } from 'lucide-react'
import { clockTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cut } from '#web/ui/cut.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { AiBox } from './ai-box.tsx'
import { fetchSummary } from './conversation-queries.ts'
import { useAsked } from './use-asked.ts'

/** 'Resumir': the conversation in at most five lines, for whoever asked. It says how old it is. */
export function SummaryPanel({
  conversationId,
  messageCount,
  onClose,
}: {
  conversationId: number
  /** Of the conversation, now. */
  messageCount: number
  onClose: () => void
}) {
  const { answer, error, isAsking, ask, cancel } = useAsked(
    (signal) => fetchSummary(conversationId, signal),
    true,
  )
  const copy = async (lines: readonly string[]) => {
    const isCopied = await copyText(lines.join('\n'))
    toast(isCopied ? { title: 'Resumo copiado' } : { title: 'Não foi possível copiar', tone: 'error' })
  }
  const later = answer ? Math.max(0, messageCount - answer.messagesSoFar) : 0
  const count = answer?.messageCount ?? 0
  return (
    <div className="flex-none px-3 pt-3 md:px-4">
      <AiBox
        label="Resumo da conversa"
        title={
          answer
            ? `Resumo de ${count === 1 ? '1 mensagem' : `${count} mensagens`}`
            : isAsking
              ? 'Resumindo…'
              : 'Resumo'
        }
        note={answer && `feito às ${clockTime(answer.madeAt)}${laterText(later)}`}
        actions={
          <>
            {isAsking && (
              <Button
                size="sm"
                variant="ghost"
                onClick={() => {
                  cancel()
                  onClose()
                }}
              >
                Cancelar
              </Button>
            )}
            {answer && (
              <IconButton
                size="sm"
                label="Copiar resumo"
                icon={Copy}
                onClick={() => void copy(answer.lines)}
              />
            )}
            {!isAsking && <IconButton size="sm" label="Refazer resumo" icon={RotateCw} onClick={ask} />}
            <IconButton size="sm" label="Fechar resumo" icon={X} onClick={onClose} />
          </>
        }
      >
        {isAsking && (
          <div role="status" aria-busy="true" aria-label="Resumindo a conversa" className="grid gap-2">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        )}
        {error !== undefined && (
          <p role="alert" className="text-red-text">
            {error}
          </p>
        )}
        {answer && (
          <ul className="grid list-disc gap-1 pl-4" dir="auto">
            {answer.lines.map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the lines never change their places
              <li key={index} className="[overflow-wrap:anywhere]">
                {cut(line)}
              </li>
            ))}
          </ul>
        )}
      </AiBox>
    </div>
  )
}

function laterText(count: number): string {
  if (count === 0) return ''
  return count === 1 ? ' · 1 mensagem depois dele' : ` · ${count} mensagens depois dele`
}
