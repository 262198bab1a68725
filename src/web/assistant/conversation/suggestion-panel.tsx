import { RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { maxAnswerLength } from '#shared/assistant/conversation-assistant.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { AiBox } from './ai-box.tsx'
import { fetchSuggestion } from './conversation-queries.ts'
import { useAsked } from './use-asked.ts'

/**
 * 'Sugerir resposta': a draft that the operator reads, changes, and takes into the field or not. Only the
 * operator sends it.
 */
export function SuggestionPanel({
  conversationId,
  onUse,
  onClose,
}: {
  conversationId: number
  onUse: (text: string) => void
  onClose: () => void
}) {
  const { answer, error, isAsking, ask, cancel } = useAsked(
    (signal) => fetchSuggestion(conversationId, signal),
    true,
  )
  const [edited, setEdited] = useState<{ of: string; text: string }>()
  const text = edited && edited.of === answer ? edited.text : (answer ?? '')
  return (
    <div className="mb-2">
      <AiBox
        label="Resposta sugerida"
        title={isAsking ? 'Escrevendo um rascunho…' : 'Rascunho da IA, ainda não enviado'}
        actions={
          <>
            {!isAsking && <IconButton size="sm" label="Sugerir outra" icon={RotateCw} onClick={ask} />}
            <IconButton
              size="sm"
              label="Descartar sugestão"
              icon={X}
              onClick={() => {
                cancel()
                onClose()
              }}
            />
          </>
        }
      >
        {isAsking && (
          <div role="status" aria-busy="true" aria-label="Escrevendo um rascunho" className="grid gap-2">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        )}
        {error !== undefined && (
          <p role="alert" className="text-red-text">
            {error}
          </p>
        )}
        {answer !== undefined && (
          <div className="grid gap-2">
            <textarea
              aria-label="Texto sugerido"
              dir="auto"
              rows={3}
              maxLength={maxAnswerLength}
              value={text}
              onChange={(event) => setEdited({ of: answer, text: event.target.value })}
              className={fieldLook('lines')}
            />
            <div className="flex flex-wrap items-center gap-2">
              <Button
                variant="primary"
                size="sm"
                disabled={text.trim() === ''}
                onClick={() => onUse(text.trim())}
              >
                Usar no campo
              </Button>
              <Button variant="ghost" size="sm" onClick={onClose}>
                Descartar
              </Button>
            </div>
          </div>
        )}
      </AiBox>
    </div>
  )
}
