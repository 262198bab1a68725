import { Mic, Send, type LucideIcon } from 'lucide-react'
import { useState, type RefObject } from 'react'
import type { By } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { AttachMenu } from './attach-menu.tsx'
import type { ComposerTask } from './composer-task.ts'
import { OwnerBar } from './owner-bar.tsx'
import { RecordingBar } from './recording-bar.tsx'
import { TaskBar } from './task-bar.tsx'
import { useRecorder } from './use-recorder.ts'
import { useSending } from './use-sending.ts'
import { useTyping } from './use-typing.ts'
import { WritingField } from './writing-field.tsx'

/** Where the client writes. */
export function Composer({
  phone,
  companyName,
  by,
  onSwitchBack,
  task,
  onTaskEnd,
  fieldRef,
}: {
  phone: PhoneView
  companyName: string
  by: By
  onSwitchBack: () => void
  task: ComposerTask | undefined
  onTaskEnd: () => void
  fieldRef: RefObject<HTMLTextAreaElement | null>
}) {
  const { text, setText, end } = useDraft(task, onTaskEnd)
  const { type, stop } = useTyping(phone.id, by)
  const recorder = useRecorder()
  function onSent() {
    stop()
    end()
  }
  const { sendText, sendFile, sendVoice, sendMessage, sendSample } = useSending({
    phoneId: phone.id,
    by,
    task,
    text,
    onSent,
  })
  async function record() {
    if (await recorder.start()) return type('recording')
    sendVoice()
    toast({ title: 'Sem microfone', description: 'Foi enviado um áudio de exemplo.', tone: 'info' })
  }
  function cancelRecording() {
    recorder.cancel()
    stop()
  }
  async function sendRecording() {
    const recording = await recorder.finish()
    if (recording) sendVoice(recording)
  }
  function write(next: string) {
    setText(next)
    if (next === '') stop()
    else type()
  }
  const { startedAtMs } = recorder
  return (
    <div className="shrink-0 border-t border-line bg-surface">
      {by === 'owner' && <OwnerBar onSwitchBack={onSwitchBack} />}
      {task && <TaskBar task={task} companyName={companyName} onCancel={end} />}
      {startedAtMs !== undefined ? (
        <RecordingBar
          startedAtMs={startedAtMs}
          onCancel={cancelRecording}
          onSend={() => void sendRecording()}
        />
      ) : (
        <div className="flex items-end gap-1 p-[7px]">
          <AttachMenu
            onFile={sendFile}
            onSampleVoice={() => sendVoice()}
            onSample={sendSample}
            onMessage={sendMessage}
          />
          <WritingField
            fieldRef={fieldRef}
            text={text}
            onChange={write}
            onLeave={stop}
            onEnter={sendText}
            onEscape={task && end}
          />
          {text.trim() === '' ? (
            <RoundButton label="Gravar áudio" icon={Mic} onClick={() => void record()} />
          ) : (
            <RoundButton label="Enviar" icon={Send} onClick={sendText} />
          )}
        </div>
      )}
    </div>
  )
}

function RoundButton(props: { label: string; icon: LucideIcon; onClick: () => void }) {
  return <IconButton {...props} tone="accent" className="rounded-full" />
}

/** The text being written. An edit begins with the message's text and restores nothing. */
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
