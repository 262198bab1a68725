import type { By, PhoneMessage } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { useAction, useSendMessage } from '#simulator/page/data/mutations.ts'
import type { ComposerTask } from './composer-task.ts'
import { fileMessage, voiceMessage } from './media-message.ts'
import type { SampleMaker } from './samples/sample-group.ts'
import { sampleVoice } from './samples/sample-voice.ts'

/**
 * The send actions of the composer. While replying, everything sent quotes the message; text in the field
 * becomes the caption of a file.
 */
export function useSending({
  phoneId,
  by,
  task,
  text,
  onSent,
}: {
  phoneId: string
  by: By
  task: ComposerTask | undefined
  text: string
  onSent: () => void
}) {
  const { send } = useSendMessage(phoneId, by)
  const { run } = useAction()
  const trimmed = text.trim()
  const quote = task?.kind === 'reply' ? { quotedId: task.message.id } : {}

  function sendMessage(message: PhoneMessage) {
    send({ ...message, ...quote })
    onSent()
  }
  return {
    sendMessage,
    sendText: () => {
      if (trimmed === '') return
      if (task?.kind !== 'edit') return sendMessage({ kind: 'text', text: trimmed })
      run(() => simulatorApi.edit(phoneId, task.message.id, trimmed, by))
      onSent()
    },
    sendSample: (make: SampleMaker) => run(async () => sendMessage(await make(trimmed))),
    sendFile: (file: File) => run(async () => sendMessage(await fileMessage(file, trimmed))),
    sendVoice: (recording = sampleVoice()) => run(async () => sendMessage(await voiceMessage(recording))),
  }
}
