import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Captions } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { transcribeMessage } from '#shared/messages/message-endpoints.ts'
import type { Message } from '#shared/messages/messages.ts'
import {
  noWords,
  transcriptionFailureTexts,
  transcriptionLabel,
} from '#shared/text/conversations/transcription-texts.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'
import { call } from '#web/platform/api/api.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { toast } from '#web/ui/states/toast.ts'

const lineLook = 'mt-1 flow-root text-xs'
const buttonLook = [
  'inline-flex min-h-6 items-center gap-1.5 rounded-[6px] font-medium text-accent-text max-md:min-h-11',
  'underline-offset-2 hover:underline disabled:text-ink-3 disabled:no-underline',
].join(' ')

/**
 * What a sound says, below it: offered, under way, failed, or in words.
 * @param meta time and delivery mark; floats at the end of the last line
 */
export function Transcription({ message, meta }: { message: Message; meta: ReactNode }) {
  const { transcription, fileUrl } = message
  const [asked, setAsked] = useState<number>()
  const ask = useAsk(message)
  const press = () => {
    setAsked(message.version)
    ask.mutate()
  }
  // Until the answer, or the event that has come before it, is shown.
  const isAsking = ask.isPending && asked === message.version
  switch (transcription?.state) {
    case 'offered':
      return (
        <div className={lineLook}>
          <button type="button" className={buttonLook} disabled={isAsking} onClick={press}>
            <Captions aria-hidden size={14} />
            Transcrever
          </button>
          {meta}
        </div>
      )
    case 'waiting':
      return (
        <div className={lineLook}>
          <span role="status" className="inline-flex min-h-6 items-center gap-1.5 text-ink-2 max-md:min-h-11">
            <Spinner size={12} />
            {fileUrl === null ? 'Aguardando o áudio...' : 'Transcrevendo...'}
          </span>
          {meta}
        </div>
      )
    case 'failed':
      return (
        <div className={lineLook}>
          <p className="text-red-text">
            Não foi possível transcrever.{' '}
            {transcription.reason && transcriptionFailureTexts[transcription.reason]}
          </p>
          <button type="button" className={buttonLook} disabled={isAsking} onClick={press}>
            Tentar de novo
          </button>
          {meta}
        </div>
      )
    case 'done':
      return <Words text={transcription.text ?? ''} meta={meta} />
    case undefined:
      return null
  }
}

function Words({ text, meta }: { text: string; meta: ReactNode }) {
  return (
    <div className="mt-1.5 border-t border-ink/12 pt-1">
      <p data-unsearched className="flex min-h-6 items-center gap-1.5 text-xs text-ink-2">
        <Captions aria-hidden size={14} />
        <span className="flex-1">{transcriptionLabel}</span>
        {text !== '' && <CopyButton what="transcrição" copied="Transcrição copiada" text={text} />}
      </p>
      <div dir="auto" className="flow-root text-sm">
        {text === '' ? <span className="text-ink-2 italic">{noWords}</span> : <RichText text={text} />}
        {meta}
      </div>
    </div>
  )
}

function useAsk({ id: messageId, conversationId }: Message) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      call(transcribeMessage, {
        params: { id: conversationId, messageId },
        signal: AbortSignal.timeout(60_000),
      }),
    onSuccess: (message) => patchMessage(client, message),
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Não foi possível transcrever', description: message }),
  })
}
