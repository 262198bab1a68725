import { type RefObject, useEffect, useEffectEvent } from 'react'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { toast } from '#web/ui/states/toast.ts'
import { type Recorded, type RecorderTrouble, useRecorder } from './use-recorder.ts'
import { VoiceBar } from './voice-bar.tsx'

/** Records from its first moment on, as soon as the microphone is there. */
export function VoiceRecorder({
  field,
  sendLabel,
  onBegin,
  onSend,
  onClose,
}: {
  /** Receives the focus when it is over. */
  field: RefObject<HTMLElement | null>
  /** What becomes of the recording; 'Enviar voz'. */
  sendLabel?: string
  /** The microphone is there. */
  onBegin: () => void
  onSend: (recorded: Recorded) => void
  /** Discarded, or there is no microphone. */
  onClose: () => void
}) {
  const { state, start, pause, resume, finish, discard, level } = useRecorder((trouble) => {
    toastTrouble(trouble)
    onClose()
  })
  const isIdle = state.kind === 'idle'
  const begin = useEffectEvent(() => void start())
  const tellBegin = useEffectEvent(onBegin)
  useEffect(() => begin(), [])
  useEffect(() => {
    if (!isIdle) tellBegin()
  }, [isIdle])
  const leaving = useLeaveGuard(!isIdle, leadsToOtherChat)
  if (state.kind === 'idle') return null
  return (
    <>
      <VoiceBar
        state={state}
        level={level}
        onPause={pause}
        onResume={resume}
        onFinish={finish}
        onDiscard={() => {
          discard()
          onClose()
        }}
        onSend={onSend}
        sendLabel={sendLabel}
        field={field}
      />
      <LeaveDialog leaving={leaving} words={leaveWords} />
    </>
  )
}

const leaveWords = {
  title: 'Descartar a gravação?',
  description: 'A gravação desta conversa ainda não foi enviada e será perdida.',
  leave: 'Descartar',
  stay: 'Continuar aqui',
}

/** Filters of the list beside it, or another place in the chat, are no other chat. */
export const leadsToOtherChat = (to: URL, from: URL) => chatOf(to) !== chatOf(from)
const chatOf = ({ pathname, searchParams }: URL) =>
  [pathname, searchParams.get('conversation'), searchParams.get('contact')].join()

const troubles: Record<RecorderTrouble, string> = {
  insecure: 'O navegador só empresta o microfone a páginas com HTTPS.',
  denied: 'Permita o uso do microfone no navegador e tente novamente.',
  no_microphone: 'Nenhum microfone foi encontrado.',
}

function toastTrouble(trouble: RecorderTrouble): void {
  toast({ tone: 'error', title: 'Não foi possível gravar', description: troubles[trouble] })
}
