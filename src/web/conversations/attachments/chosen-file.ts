import { blockedExtensionOf, finalFileName, maxUploadBytes } from '#shared/messages/media.ts'
import { fileTexts } from '#shared/text/text.ts'
import { toast } from '#web/ui/states/toast.ts'
import type { SentFile } from '#web/conversations/sends/sends.ts'

/** Whether a file may be sent; toasts the reason if not. @see specification §5 Upload */
export function isTaken(file: File): boolean {
  const ext = blockedExtensionOf(finalFileName(file.name))
  if (ext !== undefined)
    toast({
      tone: 'error',
      title: '🚫 Arquivo Bloqueado',
      description: fileTexts['media.blocked'].replace('{ext}', ext),
    })
  else if (file.size > maxUploadBytes)
    toast({ tone: 'error', title: 'Arquivo muito grande', description: fileTexts['media.too_large'] })
  else if (file.size === 0)
    toast({ tone: 'error', title: 'Arquivo vazio', description: fileTexts['media.empty'] })
  else return true
  return false
}

/** What the browser can measure of a file: type, dimensions, duration. The server decides for itself. */
export async function measured(file: File): Promise<SentFile> {
  const url = URL.createObjectURL(file)
  const [kind = ''] = file.type.split('/')
  if (kind === 'image' && /^image\/(jpeg|png|gif|webp)$/.test(file.type))
    return { file, url, messageType: 'image', ...(await pictureFacts(url)) }
  if (file.type === 'video/mp4')
    return { file, url, messageType: 'video', ...(await filmFacts(url, 'video')) }
  if (/^audio\/(mpeg|ogg|mp4|aac|x-m4a)$/.test(file.type))
    return { file, url, messageType: 'audio', ...(await filmFacts(url, 'audio')) }
  return { file, url, messageType: 'document' }
}

async function pictureFacts(url: string): Promise<{ width?: number; height?: number }> {
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return { width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    // Damaged or not an image: it is sent as it is, and the server determines its type.
    return {}
  }
}

const patienceMs = 3000

function filmFacts(
  url: string,
  tag: 'video' | 'audio',
): Promise<{ seconds?: number; width?: number; height?: number }> {
  return new Promise((resolve) => {
    const element = document.createElement(tag)
    const timer = setTimeout(() => resolve({}), patienceMs)
    const done = () => {
      clearTimeout(timer)
      const { duration } = element
      resolve({
        ...(Number.isFinite(duration) && { seconds: Math.round(duration) }),
        ...(element instanceof HTMLVideoElement &&
          element.videoWidth > 0 && { width: element.videoWidth, height: element.videoHeight }),
      })
    }
    element.addEventListener('loadedmetadata', done)
    element.addEventListener('error', done)
    element.preload = 'metadata'
    element.src = url
  })
}
