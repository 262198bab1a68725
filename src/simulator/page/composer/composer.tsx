import { Mic, Send } from 'lucide-react'
import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { PhoneMessage } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/api.ts'
import { useAct, useSendMessage } from '#simulator/page/mutations.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/toast.ts'
import { AttachMenu } from './attach-menu.tsx'
import type { ComposerTask } from './composer-task.ts'
import { fileMessage, voiceMessage } from './media-message.ts'
import { RecordingBar } from './recording-bar.tsx'
import { sampleVoice } from './samples.ts'
import { TaskBar } from './task-bar.tsx'
import { useRecorder } from './use-recorder.ts'
import { useTyping } from './use-typing.ts'

/** Where the client writes. Text that stands there goes along with a picture as its caption. */
export function Composer({
  phone,
  companyName,
  task,
  onTaskEnd,
  fieldRef,
}: {
  phone: PhoneView
  companyName: string
  task: ComposerTask | undefined
  onTaskEnd: () => void
  fieldRef: RefObject<HTMLTextAreaElement | null>
}) {
  const { text, setText, end } = useDraft(task, onTaskEnd)
  const { type, stop } = useTyping(phone.id)
  const recorder = useRecorder()
  const { send } = useSendMessage(phone.id)
  const { act } = useAct()
  const quotedId = task?.kind === 'reply' ? task.message.id : undefined
  const quote = quotedId === undefined ? {} : { quotedId }

  const sendReady = (message: PhoneMessage) => {
    stop()
    send({ ...message, ...quote })
    end()
  }
  const sendText = () => {
    const words = text.trim()
    if (words === '') return
    if (task?.kind !== 'edit') return sendReady({ kind: 'text', text: words })
    stop()
    act(() => simulatorApi.edit(phone.id, task.message.id, words))
    end()
  }
  const sendFile = (file: File) =>
    act(async () => sendReady(await fileMessage(file, { caption: text.trim() })))
  const sendVoice = (recording = sampleVoice()) => act(async () => sendReady(await voiceMessage(recording)))
  const record = async () => {
    if (await recorder.start()) return type('recording')
    sendVoice()
    toast({ title: 'Sem microfone', description: 'Foi enviado um áudio de exemplo.', tone: 'info' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && task) return end()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    sendText()
  }

  if (recorder.startedAtMs !== undefined)
    return (
      <div className="shrink-0 border-t border-line bg-surface">
        <RecordingBar
          startedAtMs={recorder.startedAtMs}
          onCancel={() => {
            recorder.cancel()
            stop()
          }}
          onSend={() => void recorder.finish().then((recording) => recording && sendVoice(recording))}
        />
      </div>
    )
  return (
    <div className="shrink-0 border-t border-line bg-surface">
      {task && <TaskBar task={task} companyName={companyName} onCancel={end} />}
      <div className="flex items-end gap-1 p-[7px]">
        <AttachMenu onFile={sendFile} onSampleVoice={() => sendVoice()} onMessage={sendReady} />
        <textarea
          ref={fieldRef}
          rows={1}
          dir="auto"
          aria-label="Mensagem"
          placeholder="Mensagem"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            if (target.value === '') stop()
            else type()
          }}
          onBlur={stop}
          onKeyDown={onKeyDown}
          className="thin-scroll field-sizing-content max-h-[100px] min-h-8 min-w-0 flex-1 resize-none rounded-[16px] border border-field bg-surface px-3 py-1.5 text-sm -outline-offset-1"
        />
        {text.trim() === '' ? (
          <IconButton
            label="Gravar áudio"
            icon={Mic}
            tone="accent"
            className="rounded-full"
            onClick={() => void record()}
          />
        ) : (
          <IconButton label="Enviar" icon={Send} tone="accent" className="rounded-full" onClick={sendText} />
        )}
      </div>
    </div>
  )
}

/** What is being written. An edit begins with the message's text, and leaves nothing behind. */
function useDraft(task: ComposerTask | undefined, onTaskEnd: () => void) {
  const [text, setText] = useState('')
  const [begun, setBegun] = useState(task)
  if (begun !== task) {
    setBegun(task)
    if (task?.kind === 'edit') setText(task.message.text)
    else if (begun?.kind === 'edit') setText('')
  }
  return {
    text,
    setText,
    end: () => {
      setText('')
      onTaskEnd()
    },
  }
}
