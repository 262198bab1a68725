import type { PhoneMessage } from '#simulator/control-api.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { fileMessage, voiceMessage } from '#simulator/page/composer/media-message.ts'
import { samplePhoto } from '#simulator/page/composer/samples/sample-photo.ts'
import { sampleVoice } from '#simulator/page/composer/samples/sample-voice.ts'
import { newMessageId } from '#simulator/page/data/mutations.ts'
import { scripts, type ScriptLine } from './script-lines.ts'

const staggerMs = 350

/** @throws DOMException AbortError when stopped */
function wait(ms: number, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    function stop() {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

async function messageOf(line: ScriptLine): Promise<PhoneMessage> {
  if ('text' in line) return { kind: 'text', text: line.text }
  return line.kind === 'photo'
    ? await fileMessage(await samplePhoto(), '')
    : await voiceMessage(sampleVoice())
}

async function play(phoneId: string, lines: ScriptLine[], delayMs: number, signal: AbortSignal) {
  await wait(delayMs, signal)
  for (const line of lines) {
    const isVoice = 'kind' in line && line.kind === 'voice'
    await simulatorApi.typing(phoneId, isVoice ? 'recording' : 'composing')
    await wait(line.waitMs, signal)
    await simulatorApi.send(phoneId, { id: newMessageId(), ...(await messageOf(line)) })
  }
  await simulatorApi.typing(phoneId, 'paused')
}

/** Plays a short script on each phone, all at once. Resolves when the last has finished or it is stopped. */
export async function runScript(phoneIds: string[], signal: AbortSignal): Promise<void> {
  const offset = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0
  try {
    await Promise.all(
      phoneIds.map((id, index) =>
        play(id, scripts[(offset + index) % scripts.length] ?? [], index * staggerMs, signal),
      ),
    )
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
